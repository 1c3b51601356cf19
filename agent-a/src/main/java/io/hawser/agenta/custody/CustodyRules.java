package io.hawser.agenta.custody;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.CompletionRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which custody level holds where: a level for everything and others for directories, of which the longest that fits counts. And
 * how many far ends must have come so far.
 *
 * <p>Thread: immutable.
 */
public final class CustodyRules {
    /** Final replies as soon as an upload is durable here. */
    public static final CustodyRules SPOOLED = new CustodyRules(CustodyLevel.SPOOLED, List.of(), CompletionRule.ALL);

    private record Rule(FtpPath directory, CustodyLevel level) {}

    private final CustodyLevel everywhere;
    private final List<Rule> longestFirst;
    private final CompletionRule completion;

    private CustodyRules(CustodyLevel everywhere, List<Rule> rules, CompletionRule completion) {
        this.everywhere = everywhere;
        this.completion = completion;
        this.longestFirst = rules.stream()
                .sorted(Comparator.comparing(
                                (Rule rule) -> rule.directory.segments().size())
                        .reversed())
                .toList();
    }

    /** Parses {@code LEVEL,/DIRECTORY=LEVEL,...}, each part optional. {@link IllegalArgumentException} says what is wrong. */
    public static CustodyRules parse(String text) {
        CustodyLevel everywhere = CustodyLevel.SPOOLED;
        List<Rule> rules = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int equals = part.lastIndexOf('=');
            if (equals < 0) {
                everywhere = CustodyLevel.parse(part);
            } else {
                rules.add(new Rule(
                        directory(part.substring(0, equals).strip()), CustodyLevel.parse(part.substring(equals + 1))));
            }
        }
        return new CustodyRules(everywhere, rules, CompletionRule.ALL);
    }

    /** These rules with another number of far ends that must have reached a level. */
    public CustodyRules withCompletion(CompletionRule rule) {
        return new CustodyRules(everywhere, longestFirst, rule);
    }

    /** How many far ends must have come so far. */
    public CompletionRule completion() {
        return completion;
    }

    private static FtpPath directory(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a directory of a custody level begins with /, unlike \"" + path + "\"");
        }
        try {
            return FtpPath.ROOT.resolve(path);
        } catch (FtpPath.BadNameException e) {
            throw new IllegalArgumentException(path + ": " + e.why(), e);
        }
    }

    public CustodyLevel of(FtpPath path) {
        return longestFirst.stream()
                .filter(rule -> path.isAtOrBelow(rule.directory))
                .map(Rule::level)
                .findFirst()
                .orElse(everywhere);
    }
}
