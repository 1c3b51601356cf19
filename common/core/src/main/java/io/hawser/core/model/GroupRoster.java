package io.hawser.core.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group, which share one subscription, and the nodes that an operator has declared lost and that may not join again. A
 * subscription with one consumer has {@link #NONE}.
 *
 * @param members by name
 * @param lost nodes that were declared lost, the latest last; at most {@value #MAX_LOST}
 *
 * <p>Thread: immutable.
 */
public record GroupRoster(SortedMap<String, Member> members, List<NodeId> lost) {
    /**
     * A member of a group.
     *
     * @param node its node id
     * @param subject of its certificate (RFC 2253); empty without one
     */
    public record Member(NodeId node, String subject) {
        public Member {
            Ownership.checkSubject(subject);
        }
    }

    /** The roster of a subscription with one consumer. */
    public static final GroupRoster NONE = new GroupRoster(new TreeMap<>(), List.of());

    /** The most members of one group, disconnected ones included. */
    public static final int MAX_MEMBERS = 32;

    /** The most lost nodes that are remembered. */
    public static final int MAX_LOST = 32;

    /** The longest name of a member. */
    public static final int MAX_NAME_LENGTH = 32;

    public GroupRoster {
        if (members.size() > MAX_MEMBERS || lost.size() > MAX_LOST) {
            throw new IllegalArgumentException(
                    "a group of " + members.size() + " members, of which " + lost.size() + " were lost");
        }
        members.keySet().forEach(GroupRoster::checkName);
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        lost = List.copyOf(lost);
    }

    /** {@link IllegalArgumentException} with a sentence if it is no valid name of a member. */
    public static void checkName(String name) {
        new Topic(name); // the same alphabet
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "a member's name has at most " + MAX_NAME_LENGTH + " characters, not " + name.length());
        }
    }

    /** Whether the subscription is a group's. */
    public boolean isGroup() {
        return !members.isEmpty() || !lost.isEmpty();
    }

    /** The node of that name; null if there is none. */
    public @Nullable NodeId node(String name) {
        Member member = members.get(name);
        return member == null ? null : member.node();
    }

    /** The member with that node id; null if there is none. */
    public @Nullable Member member(NodeId node) {
        return members.values().stream()
                .filter(each -> each.node().equals(node))
                .findFirst()
                .orElse(null);
    }

    /** Whether a member has a certificate with that subject. */
    public boolean hasSubject(String subject) {
        return members.values().stream().anyMatch(each -> each.subject().equals(subject));
    }

    /** The name of a node; empty if it is no member. */
    public Optional<String> nameOf(NodeId node) {
        return members.entrySet().stream()
                .filter(each -> each.getValue().node().equals(node))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    public boolean has(NodeId node) {
        return member(node) != null;
    }

    /** The roster with that member under that name, which is free or its own. Its earlier name is removed. */
    public GroupRoster with(String name, Member member) {
        TreeMap<String, Member> changed = new TreeMap<>(members);
        changed.values().removeIf(each -> each.node().equals(member.node()));
        changed.put(name, member);
        return new GroupRoster(changed, lost);
    }

    /** The roster after that member was declared lost. */
    public GroupRoster withLost(String name) {
        TreeMap<String, Member> changed = new TreeMap<>(members);
        Member member = changed.remove(name);
        List<NodeId> gone = new ArrayList<>(lost);
        if (member != null) {
            gone.remove(member.node());
            gone.add(member.node());
        }
        return new GroupRoster(changed, gone.subList(Math.max(0, gone.size() - MAX_LOST), gone.size()));
    }
}
