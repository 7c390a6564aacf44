import Logging

/// What happens, for developers; what a person has to know is thrown or reported as an event instead.
let log = Logger(label: "rushes.composition")
