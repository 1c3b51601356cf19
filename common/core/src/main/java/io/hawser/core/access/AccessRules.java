package io.hawser.core.access;

import io.hawser.core.access.Grants.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
 *   WHO  LIMITS  *
 *   agent-a:berlin  sessions=8,messages=1000  *
 * </pre>
 *
 * where WHO is a role, {@code ROLE:NAME}, or {@code *} for every node with a certificate of the CA. A {@code #} starts a comment. Rights of
 * several lines add up; no line removes rights. All quotas apply. Of limits the line for {@code ROLE:NAME} overrides the one for the role, and
 * that the one for {@code *}.
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
    private final Map<String, PrincipalLimits> limits;

    private AccessRules(List<Rule> rules, List<Quota> quotas, Map<String, PrincipalLimits> limits) {
        this.rules = List.copyOf(rules);
        this.quotas = List.copyOf(quotas);
        this.limits = Map.copyOf(limits);
    }

    /**
     * @throws IllegalArgumentException with the line's number and what is wrong with it
     */
    public static AccessRules parse(String text) {
        List<Rule> rules = new ArrayList<>();
        List<Quota> quotas = new ArrayList<>();
        Map<String, PrincipalLimits> limits = new HashMap<>();
        int number = 0;
        for (String raw : text.split("\\R", -1)) {
            number++;
            int remark = raw.indexOf('#');
            String line = (remark < 0 ? raw : raw.substring(0, remark)).strip();
            if (!line.isEmpty()) {
                try {
                    String[] words = words(line);
                    if (PrincipalLimits.isOne(words[1])) {
                        add(limits, words);
                    } else if (Quota.isOne(words[1])) {
                        add(quotas, Quota.of(words[0], words[1], topics(words)));
                    } else {
                        rules.add(new Rule(words[0], Grants.line(words[1], topics(words))));
                    }
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        return new AccessRules(rules, quotas, limits);
    }

    private static String[] words(String line) {
        String[] words = line.split("\\s+");
        if (words.length < 3) {
            throw new IllegalArgumentException(
                    "a line is WHO RIGHTS TOPIC... or WHO QUOTA TOPIC..., such as 'agent-b subscribe site-b'");
        }
        if (!words[0].matches("\\*|[A-Za-z0-9-]+(:[A-Za-z0-9._@-]+)?")) {
            throw new IllegalArgumentException(
                    "'" + words[0] + "' is neither a role, nor ROLE:NAME, nor * for every certificate");
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

    private static void add(Map<String, PrincipalLimits> limits, String[] words) {
        if (!topics(words).equals(List.of(TopicPatterns.ANY))) {
            throw new IllegalArgumentException("limits of a principal are not by topic: write '" + words[0] + " "
                    + words[1] + " " + TopicPatterns.ANY + "'");
        }
        if (limits.put(words[0], PrincipalLimits.of(words[1])) != null) {
            throw new IllegalArgumentException("there are limits for " + words[0] + " already; write them on one line");
        }
        if (limits.size() > MAX_QUOTAS) {
            throw new IllegalArgumentException("there are more than " + MAX_QUOTAS + " lines of limits");
        }
    }

    public PrincipalLimits limitsOf(Identity peer) {
        PrincipalLimits all = PrincipalLimits.DEFAULT;
        for (String who : List.of(TopicPatterns.ANY, peer.role(), peer.text())) {
            all = all.with(limits.getOrDefault(who, PrincipalLimits.DEFAULT));
        }
        return all;
    }

    /** The quotas, in the order of their lines. */
    public List<Quota> quotas() {
        return quotas;
    }

    public Grants of(Identity peer) {
        return new Grants(rules.stream()
                .filter(rule -> rule.isAbout(peer))
                .map(Rule::line)
                .toList());
    }
}
