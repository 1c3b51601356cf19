package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Topic;
import io.hawser.common.remote.CallLink;
import io.hawser.common.remote.Serving;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

    void connected(String subscription, Topic topic, Serving serving, CallLink link) {
        if (serving == Serving.NONE) {
            removed(subscription, topic);
        } else {
            byTopic.computeIfAbsent(topic, name -> new TreeMap<>()).put(subscription, new Server(serving, link));
        }
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
            servers.values().removeIf(server -> server.link == link && server.serving == Serving.CLOSED);
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
        Map<String, Server> servers = byTopic.getOrDefault(topic, new TreeMap<>());
        boolean closed =
                !servers.isEmpty() && servers.values().stream().allMatch(server -> server.serving == Serving.CLOSED);
        return closed
                ? new Refusal(ErrorCode.NOT_ALLOWED, "Permission denied: the far edge of " + topic + " shows no files")
                : new Refusal(ErrorCode.UNREACHABLE, "the far edge of " + topic + " is not connected");
    }
}
