"""Results about events that a service could not take in."""

from dynabench_api import dead_letters

DeadLetters = dead_letters.DeadLettersOfTopic
SetAside = dead_letters.DeadLettersAnswer
DeadLetterRecord = dead_letters.DeadLetterRecord
DeadLetterRecords = dead_letters.DeadLetterRecords
DeadLetterDecision = dead_letters.DeadLetterDecision
