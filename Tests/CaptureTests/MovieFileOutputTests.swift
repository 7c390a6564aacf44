import Capture
import Testing
