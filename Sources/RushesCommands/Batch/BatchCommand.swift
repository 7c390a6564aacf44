import ArgumentParser

/// `rushes batch`: a batch in single steps.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Export many files in single steps, for schedulers.",
        discussion: """
            'rushes transcode --output-directory' runs a batch on this machine by itself. Where GNU parallel, Slurm or another \
            scheduler is to run it, plan writes down what is to be done, and each step does one file. Steps may run at \
            once, on all machines that see the folder, and again: what is done is left as it is.

            EXAMPLES
              rushes batch plan clips --output-directory out --preset hevc
              rushes batch plan clips --output-directory out > items
              cut -f 1 items | parallel rushes batch run-one out {}
              sbatch --array=0-99 --wrap 'rushes batch run-one out "$SLURM_ARRAY_TASK_ID"'
            """,
        subcommands: [BatchPlanCommand.self, BatchStepCommand.self])
}
