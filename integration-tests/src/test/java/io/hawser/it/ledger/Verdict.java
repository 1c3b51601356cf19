package io.hawser.it.ledger;

import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What trials of one commit have shown, as an exit code and as a bound; and usage errors, before the first trial. Thread: any. */
public final class Verdict {
    public static final int HOLDS = 0;
    public static final int FAILED = 1;
    /** The trials show nothing: there were none, or a control failed. */
    public static final int VOID = 3;

    private Verdict() {}

    /**
     * The exit code.
     *
     * @param violations as lines {@code kind: what}
     */
    public static int of(int trials, List<String> violations) {
        if (Violations.count(violations, Violations.VOID) < violations.size()) {
            return FAILED;
        }
        return trials == 0 || !violations.isEmpty() ? VOID : HOLDS;
    }

    /** The share of such trials that fail, at most, with 95 % confidence (the rule of three); unknown if any failed. */
    public static String bound(long trials, String ofWhat, List<String> violations) {
        if (trials == 0 || !violations.isEmpty()) {
            return "no bound for the " + ofWhat + ", since " + (trials == 0 ? "there were none" : "not all holds");
        }
        return String.format(Locale.ROOT, "below %.2g of the %s with 95 %% confidence (3/n)", 3.0 / trials, ofWhat);
    }

    /** The command line cannot be obeyed: exit code 2, nothing was begun. */
    public static ParameterException usage(CommandSpec spec, String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    /** The same of an option's file or directory. */
    public static ParameterException usage(CommandSpec spec, String option, IOException cause) {
        return usage(spec, option + ": " + Errors.sentence(cause));
    }

    /** Refuses unknown words: what they name would silently be left out. */
    public static void requireKnown(CommandSpec spec, String option, List<String> given, List<String> known) {
        for (String word : given) {
            if (!known.contains(word)) {
                throw usage(spec, option + ": '" + word + "' is not one of " + String.join(", ", known));
            }
        }
    }
}
