import ArgumentParser

/// `rushes batch`: a batch in single steps.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Export many files step by step, also on a cluster.",
        discussion: """
            'rushes transcode --output-directory' runs a batch on this machine alone. Where Slurm, GNU parallel or another \
            scheduler is to run it, plan writes down what is to be done, and each step does one file. Steps may run at \
            once, on all machines that see the folder, and again: what is done is left as it is.

            EXAMPLES
              rushes batch plan clips --output-directory out --preset hevc
              rushes batch submit out --slurm --partition main
              rushes batch follow out
              rushes batch plan clips --output-directory out > items
              cut -f 1 items | parallel rushes batch run-one out {}
            """,
        subcommands: [
            BatchPlanCommand.self, BatchSubmitCommand.self, BatchFollowCommand.self, BatchStepCommand.self,
        ])
}
