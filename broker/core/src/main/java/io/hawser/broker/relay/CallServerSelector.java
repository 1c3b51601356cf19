package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.remote.ServingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects the subscription that answers questions about a topic's files. Of several that have the right to, the one answers that its
 * owner has had for the longest time: one that comes later takes no readers from it, whatever its name.
 *
 * <p>Thread: the relay's loop.
 */
final class CallServerSelector {
    /** {@code link} is null while it is away. */
    private record Server(
            CallServerCandidate offer, @Nullable CallLink link) {
        boolean says(ServingMode serving) {
            return offer.entitled() && offer.serving() == serving;
        }
    }

    /** So many that are away are waited for on a topic: the ones that have been its subscriptions for the longest time. */
    static final int MOST_AWAY = 64;

    /** By the names of subscriptions, which decide between those of one age. */
    private final Map<Topic, SortedMap<String, Server>> byTopic = new HashMap<>();

    private final Predicate<Topic> complete;

    /** @param complete whether the consumers of all subscriptions of a topic are connected */
    CallServerSelector(Predicate<Topic> complete) {
        this.complete = complete;
    }

    void connected(String subscription, Topic topic, CallServerCandidate offer, CallLink link) {
        byTopic.computeIfAbsent(topic, name -> new TreeMap<>()).put(subscription, new Server(offer, link));
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
            servers.values().removeIf(server -> server.link == link && !server.says(ServingMode.SERVES));
            servers.replaceAll((name, server) -> server.link == link ? new Server(server.offer, null) : server);
            forgetLatestOfTooMany(servers);
        });
        byTopic.values().removeIf(Map::isEmpty);
    }

    private static void forgetLatestOfTooMany(SortedMap<String, Server> servers) {
        List<Map.Entry<String, Server>> away = new ArrayList<>(servers.entrySet());
        away.removeIf(entry -> entry.getValue().link != null);
        if (away.size() > MOST_AWAY) {
            away.sort(Comparator.comparingLong(entry -> entry.getValue().offer.sinceEpochMillis()));
            away.subList(MOST_AWAY, away.size()).forEach(entry -> servers.remove(entry.getKey()));
        }
    }

    /** The session that answers for the topic, if possible one that reads what it is asked; null if none is connected. */
    @Nullable
    CallLink of(Topic topic) {
        return servers(topic).stream()
                .filter(server -> server.says(ServingMode.SERVES))
                .sorted(Comparator.comparingLong(server -> server.offer.sinceEpochMillis()))
                .map(Server::link)
                .filter(Objects::nonNull)
                .min(Comparator.comparing(CallLink::isBackedUp))
                .orElse(null);
    }

    private Collection<Server> servers(Topic topic) {
        SortedMap<String, Server> known = byTopic.get(topic);
        return known == null ? List.of() : known.values();
    }

    /** Why no session answers for the topic. */
    Refusal whyNot(Topic topic) {
        Collection<Server> known = servers(topic);
        boolean serves = known.stream().anyMatch(server -> server.says(ServingMode.SERVES));
        boolean closed = known.stream().anyMatch(server -> server.says(ServingMode.CLOSED));
        if (closed && !serves) {
            return new Refusal(ErrorCode.NOT_ALLOWED, RemoteFiles.CLOSED);
        } else if (!known.isEmpty() && !serves && complete.test(topic)) {
            boolean applications = known.stream().allMatch(server -> server.offer.serving() == ServingMode.NONE);
            return new Refusal(ErrorCode.NOT_ALLOWED, applications ? RemoteFiles.APPLICATION : RemoteFiles.CLOSED);
        }
        return new Refusal(ErrorCode.UNREACHABLE, "the far end of " + topic + " is not connected");
    }
}
