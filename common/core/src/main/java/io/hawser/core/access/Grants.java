package io.hawser.core.access;

import io.hawser.core.model.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rights on topics. A topic is a name, or a prefix followed by {@code *}.
 *
 * @param lines each gives its rights on its topics
 *
 * <p>Thread: immutable.
 */
public record Grants(List<Line> lines) {
    /** No rights at all. */
    public static final Grants NONE = new Grants(List.of());

    /** The rights of a peer for which none are named: all but {@link Right#CANCEL}. */
    public static final Grants UNLESS_NAMED =
            new Grants(List.of(new Line(EnumSet.complementOf(EnumSet.of(Right.CANCEL)), List.of("*"))));

    /** Some rights on some topics. */
    public record Line(Set<Right> rights, List<String> topics) {
        public Line {
            rights = Collections.unmodifiableSet(EnumSet.copyOf(rights));
            topics = List.copyOf(topics);
            topics.forEach(TopicPatterns::check);
        }

        private boolean covers(String topic) {
            for (String pattern : topics) {
                if (TopicPatterns.covers(pattern, topic)) {
                    return true;
                }
            }
            return false;
        }
    }

    public Grants {
        lines = List.copyOf(lines);
    }

    /**
     * @param rights separated by commas, or {@code all}
     * @param topics names or beginnings of names
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static Line line(String rights, List<String> topics) {
        if (rights.equals("all")) {
            return new Line(EnumSet.allOf(Right.class), topics);
        }
        Set<Right> set = EnumSet.noneOf(Right.class);
        for (String word : rights.split(",", -1)) {
            set.add(Right.of(word));
        }
        return new Line(set, topics);
    }

    /** Parses {@code RIGHTS=TOPIC,TOPIC}; {@link IllegalArgumentException} with a sentence for the user. */
    public static Line line(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("it is RIGHTS=TOPICS, such as publish,list=site-b");
        }
        return line(
                text.substring(0, equals), List.of(text.substring(equals + 1).split(",", -1)));
    }

    /** Parses the form of {@link #toString}; {@link IllegalArgumentException} with a sentence for the user. */
    public static Grants parse(String text) {
        return text.isEmpty()
                ? NONE
                : new Grants(Stream.of(text.split(" ", -1)).map(Grants::line).toList());
    }

    /** The union of both. */
    public Grants and(Grants other) {
        List<Line> all = new ArrayList<>(lines);
        all.addAll(other.lines);
        return new Grants(all);
    }

    public boolean allow(Right right, Topic topic) {
        for (Line line : lines) { // asked for each small transfer
            if (line.rights.contains(right) && line.covers(topic.name())) {
                return true;
            }
        }
        return false;
    }

    /** Whether they include that right on every topic. */
    public boolean allowEverywhere(Right right) {
        return lines.stream().anyMatch(line -> line.rights.contains(right) && line.topics.contains(TopicPatterns.ANY));
    }

    /** Whether they include that right on any topic. */
    public boolean allowSomewhere(Right right) {
        return lines.stream().anyMatch(line -> line.rights.contains(right));
    }

    @Override
    public String toString() {
        return lines.stream()
                .map(line -> line.rights.stream().map(Right::word).collect(Collectors.joining(",")) + "="
                        + String.join(",", line.topics))
                .collect(Collectors.joining(" "));
    }
}
