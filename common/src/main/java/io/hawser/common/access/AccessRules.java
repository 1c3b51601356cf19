package io.hawser.common.access;

import io.hawser.common.access.Grants.Line;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of an ACL file. A line is
 *
 * <pre>
 *   WHO  RIGHTS  TOPIC...
 *   agent-a:berlin  publish,list,read  site-b site-c.*
 *   agent-b         subscribe          site-b
 *   client:ops      all                *
 * </pre>
 *
 * where WHO is a role, {@code ROLE:NAME}, or {@code *} for whoever has a certificate of the CA. What follows {@code #} is a remark.
 * Rights of several lines add up; there are no lines that take rights away.
 *
 * <p>Thread: immutable.
 */
public final class AccessRules {
    private record Rule(String who, Line line) {
        boolean isAbout(Identity peer) {
            return who.equals("*") || who.equals(peer.role()) || who.equals(peer.text());
        }
    }

    private final List<Rule> rules;

    private AccessRules(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads the text of a file.
     *
     * @throws IllegalArgumentException with the line's number and what is wrong with it
     */
    public static AccessRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        int number = 0;
        for (String raw : text.split("\\R", -1)) {
            number++;
            int remark = raw.indexOf('#');
            String line = (remark < 0 ? raw : raw.substring(0, remark)).strip();
            if (!line.isEmpty()) {
                try {
                    rules.add(rule(line.split("\\s+")));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        return new AccessRules(rules);
    }

    private static Rule rule(String[] words) {
        if (words.length < 3) {
            throw new IllegalArgumentException("a line is WHO RIGHTS TOPIC..., such as 'agent-b subscribe site-b'");
        }
        if (!words[0].matches("\\*|[A-Za-z0-9-]+(:[A-Za-z0-9._@-]+)?")) {
            throw new IllegalArgumentException(
                    "'" + words[0] + "' is neither a role, nor ROLE:NAME, nor * for whoever has a certificate");
        }
        return new Rule(words[0], Grants.line(words[1], List.of(words).subList(2, words.length)));
    }

    /** What the lines give to that peer. */
    public Grants of(Identity peer) {
        return new Grants(rules.stream()
                .filter(rule -> rule.isAbout(peer))
                .map(Rule::line)
                .toList());
    }
}
