package io.hawser.agenta.namespace;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Topic;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one directory tree that clients see. With a root topic that topic is the root. Without one each topic is a directory of
 * the root: {@code /site-b/in/x} is the name {@code in/x} of the topic {@code site-b}.
 *
 * @param rootTopic the topic that is the root, or null
 */
public record Namespace(@Nullable Topic rootTopic) {
    /** Topics on which nodes answer each other; no client has business there. */
    private static final String RESERVED = "_reply.";

    /**
     * What a path means.
     *
     * @param topic the topic it lies in
     * @param name the name there, segments joined by {@code /}; empty for the topic's own directory
     */
    public record Place(Topic topic, String name) {
        /** Whether this is the topic's own directory. */
        public boolean isTopic() {
            return name.isEmpty();
        }

        public Place parent() {
            return new Place(topic, name.substring(0, Math.max(0, name.lastIndexOf('/'))));
        }

        public Place child(String entry) {
            return new Place(topic, isTopic() ? entry : name + "/" + entry);
        }

        /** Whether {@code other} is this place or below it. */
        public boolean isAtOrAbove(Place other) {
            return topic.equals(other.topic) && PathOverlap.isAtOrBelow(other.name, name);
        }
    }

    /** Where {@code path} lies; empty for a root above the topics, and for a first segment that no topic can have. */
    public Optional<Place> place(FtpPath path) {
        List<String> segments = path.segments();
        if (rootTopic != null) {
            return Optional.of(new Place(rootTopic, String.join("/", segments)));
        }
        if (segments.isEmpty()) {
            return Optional.empty();
        }
        if (segments.get(0).startsWith(RESERVED)) {
            return Optional.empty();
        }
        try {
            Topic topic = new Topic(segments.get(0));
            return Optional.of(new Place(topic, String.join("/", segments.subList(1, segments.size()))));
        } catch (IllegalArgumentException notATopic) {
            return Optional.empty();
        }
    }

    /** Why {@link #place} says that there is none. */
    public String whyNowhere(FtpPath path) {
        return path.isRoot()
                ? "Is a directory"
                : "the first directory is a topic, such as /site-b: letters, digits, dots, dashes and underscores";
    }
}
