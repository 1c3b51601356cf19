package io.hawser.it.power;

import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What trials of one commit have shown, as an exit code and as a bound; and what is refused before the first. Thread: any. */
final class Verdict {
    static final int HOLDS = 0;
    static final int FAILED = 1;
    /** The trials show nothing: there were none, or a control says that they mean nothing. */
    static final int VOID = 3;

    private static final String OF_CONTROLS = "void:";

    private Verdict() {}

    /** The exit code after so many trials. */
    static int of(int trials, List<String> violations) {
        if (violations.stream().anyMatch(line -> !line.startsWith(OF_CONTROLS))) {
            return FAILED;
        }
        return trials == 0 || !violations.isEmpty() ? VOID : HOLDS;
    }

    /** Below which share of such trials failures are, with 95 % confidence; that is known only where there was none. */
    static String bound(long trials, String ofWhat, List<String> violations) {
        if (trials == 0 || !violations.isEmpty()) {
            return "no bound for the " + ofWhat + ", since " + (trials == 0 ? "there were none" : "not all holds");
        }
        return String.format(Locale.ROOT, "below %.2g of the %s with 95 %% confidence (3/n)", 3.0 / trials, ofWhat);
    }

    /** Something that the command line asks for cannot be: exit code 2, nothing was begun. */
    static ParameterException usage(CommandSpec spec, String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    /** The same of a file or directory. */
    static ParameterException usage(CommandSpec spec, String option, IOException cause) {
        return usage(spec, option + ": " + Errors.sentence(cause));
    }

    /** Refuses words that nobody knows: what they name would silently be left out. */
    static void requireKnown(CommandSpec spec, String option, List<String> given, List<String> known) {
        for (String word : given) {
            if (!known.contains(word)) {
                throw usage(spec, option + ": '" + word + "' is not one of " + String.join(", ", known));
            }
        }
    }
}
