package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Topic;
import io.hawser.common.remote.CallLink;
import io.hawser.common.remote.RemoteFiles;
import io.hawser.common.remote.Serving;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which subscriptions answer questions about a topic's files. Of several the first by name answers, so that a reader sees the same
 * files as long as that one is there.
 *
 * <p>Thread: the relay's loop.
 */
final class CallServers {
    /** {@code link} is null while it is away. */
    private record Server(Serving serving, @Nullable CallLink link) {}

    private final Map<Topic, SortedMap<String, Server>> byTopic = new HashMap<>();
    private final Predicate<Topic> complete;

    /** @param complete whether the consumers of all subscriptions of a topic are connected */
    CallServers(Predicate<Topic> complete) {
        this.complete = complete;
    }

    void connected(String subscription, Topic topic, Serving serving, CallLink link) {
        byTopic.computeIfAbsent(topic, name -> new TreeMap<>()).put(subscription, new Server(serving, link));
    }

    void removed(String subscription, Topic topic) {
        SortedMap<String, Server> servers = byTopic.get(topic);
        if (servers != null) {
            servers.remove(subscription);
            if (servers.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /** Those of this session are away. One that serves is remembered: it is waited for. */
    void down(CallLink link) {
        byTopic.values().forEach(servers -> {
            servers.values().removeIf(server -> server.link == link && server.serving != Serving.SERVES);
            servers.replaceAll((name, server) -> server.link == link ? new Server(server.serving, null) : server);
        });
        byTopic.values().removeIf(Map::isEmpty);
    }

    /** Who answers for the topic; null if nobody is there. */
    @Nullable
    CallLink of(Topic topic) {
        for (Server server : byTopic.getOrDefault(topic, new TreeMap<>()).values()) {
            if (server.serving == Serving.SERVES && server.link != null) {
                return server.link;
            }
        }
        return null;
    }

    /** Why nobody answers for the topic. */
    Refusal whyNot(Topic topic) {
        Set<Serving> known = EnumSet.noneOf(Serving.class);
        byTopic.getOrDefault(topic, new TreeMap<>()).values().forEach(server -> known.add(server.serving));
        if (known.contains(Serving.CLOSED) && !known.contains(Serving.SERVES)) {
            return new Refusal(ErrorCode.NOT_ALLOWED, RemoteFiles.CLOSED);
        } else if (known.equals(Set.of(Serving.NONE)) && complete.test(topic)) {
            return new Refusal(ErrorCode.NOT_ALLOWED, RemoteFiles.APPLICATION);
        }
        return new Refusal(ErrorCode.UNREACHABLE, "the far edge of " + topic + " is not connected");
    }
}
