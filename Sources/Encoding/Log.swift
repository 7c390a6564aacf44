import Logging

/// What happens, for developers; what a person has to know is thrown or told in a plan's notes instead.
let log = Logger(label: "rushes.encoding")
