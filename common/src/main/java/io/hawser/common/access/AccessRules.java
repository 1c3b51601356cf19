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
 *   agent-b         subscribe,serve    site-b
 *   client:ops      all                *
 *   WHO  QUOTA  TOPIC...
 *   agent-a:berlin  bytes=50GiB,transfers=1000  *
 * </pre>
 *
 * where WHO is a role, {@code ROLE:NAME}, or {@code *} for whoever has a certificate of the CA. What follows {@code #} is a remark.
 * Rights of several lines add up; there are no lines that take rights away. Of quotas all hold.
 *
 * <p>Thread: immutable.
 */
public final class AccessRules {
    private record Rule(String who, Line line) {
        boolean isAbout(Identity peer) {
            return peer.isCalled(who);
        }
    }

    private static final int MAX_QUOTAS = 1000;

    private final List<Rule> rules;
    private final List<Quota> quotas;

    private AccessRules(List<Rule> rules, List<Quota> quotas) {
        this.rules = List.copyOf(rules);
        this.quotas = List.copyOf(quotas);
    }

    /**
     * Reads the text of a file.
     *
     * @throws IllegalArgumentException with the line's number and what is wrong with it
     */
    public static AccessRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        List<Quota> quotas = new ArrayList<>();
        int number = 0;
        for (String raw : text.split("\\R", -1)) {
            number++;
            int remark = raw.indexOf('#');
            String line = (remark < 0 ? raw : raw.substring(0, remark)).strip();
            if (!line.isEmpty()) {
                try {
                    String[] words = words(line);
                    if (Quota.isOne(words[1])) {
                        add(quotas, Quota.of(words[0], words[1], topics(words)));
                    } else {
                        rules.add(new Rule(words[0], Grants.line(words[1], topics(words))));
                    }
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        return new AccessRules(rules, quotas);
    }

    private static String[] words(String line) {
        String[] words = line.split("\\s+");
        if (words.length < 3) {
            throw new IllegalArgumentException(
                    "a line is WHO RIGHTS TOPIC... or WHO QUOTA TOPIC..., such as 'agent-b subscribe site-b'");
        }
        if (!words[0].matches("\\*|[A-Za-z0-9-]+(:[A-Za-z0-9._@-]+)?")) {
            throw new IllegalArgumentException(
                    "'" + words[0] + "' is neither a role, nor ROLE:NAME, nor * for whoever has a certificate");
        }
        return words;
    }

    private static List<String> topics(String[] words) {
        return List.of(words).subList(2, words.length);
    }

    private static void add(List<Quota> quotas, Quota quota) {
        if (quotas.stream().anyMatch(each -> each.name().equals(quota.name()))) {
            throw new IllegalArgumentException("there is a quota for " + quota.name() + " already");
        }
        if (quotas.size() >= MAX_QUOTAS) {
            throw new IllegalArgumentException("there are more than " + MAX_QUOTAS + " quotas");
        }
        quotas.add(quota);
    }

    /** The lines that bound what the broker keeps, in their order. */
    public List<Quota> quotas() {
        return quotas;
    }

    /** What the lines give to that peer. */
    public Grants of(Identity peer) {
        return new Grants(rules.stream()
                .filter(rule -> rule.isAbout(peer))
                .map(Rule::line)
                .toList());
    }
}
