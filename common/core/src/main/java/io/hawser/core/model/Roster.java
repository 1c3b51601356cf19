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
 * The members of a group, which share one subscription: the name of each node, and the nodes that an operator has declared lost. A
 * node that was declared lost is never let in again. Of a subscription with one consumer it is {@link #NONE}.
 *
 * @param members by the names that people call them by
 * @param lost nodes that were declared lost, the latest last; as many as {@value #MAX_LOST}
 *
 * <p>Thread: immutable.
 */
public record Roster(SortedMap<String, Member> members, List<NodeId> lost) {
    /**
     * One of a group.
     *
     * @param node which it is
     * @param subject of the certificate that it showed (RFC 2253); empty if it came without one
     */
    public record Member(NodeId node, String subject) {
        public Member {
            Ownership.checkSubject(subject);
        }
    }

    /** Of a subscription that has one consumer. */
    public static final Roster NONE = new Roster(new TreeMap<>(), List.of());

    /** The most members of one group, those that are away too. */
    public static final int MAX_MEMBERS = 32;

    /** How many of the lost are remembered. */
    public static final int MAX_LOST = 32;

    /** The longest name of a member. */
    public static final int MAX_NAME_LENGTH = 32;

    public Roster {
        if (members.size() > MAX_MEMBERS || lost.size() > MAX_LOST) {
            throw new IllegalArgumentException(
                    "a group of " + members.size() + " members, of which " + lost.size() + " were lost");
        }
        members.keySet().forEach(Roster::checkName);
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        lost = List.copyOf(lost);
    }

    /** Throws IllegalArgumentException with a sentence if no member can be called so. */
    public static void checkName(String name) {
        new Topic(name); // the same alphabet
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "a member's name has at most " + MAX_NAME_LENGTH + " characters, not " + name.length());
        }
    }

    /** Whether several may share the subscription. */
    public boolean isGroup() {
        return !members.isEmpty() || !lost.isEmpty();
    }

    /** The node of that name; null if there is none. */
    public @Nullable NodeId node(String name) {
        Member member = members.get(name);
        return member == null ? null : member.node();
    }

    /** The member that this node is; null if it is none. */
    public @Nullable Member member(NodeId node) {
        return members.values().stream()
                .filter(each -> each.node().equals(node))
                .findFirst()
                .orElse(null);
    }

    /** Whether a member came with a certificate of that subject. */
    public boolean hasSubject(String subject) {
        return members.values().stream().anyMatch(each -> each.subject().equals(subject));
    }

    /** What a node is called; empty if it is no member. */
    public Optional<String> nameOf(NodeId node) {
        return members.entrySet().stream()
                .filter(each -> each.getValue().node().equals(node))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether that node is a member. */
    public boolean has(NodeId node) {
        return member(node) != null;
    }

    /** With that member under that name, which is free or its own; it loses an earlier one. */
    public Roster with(String name, Member member) {
        TreeMap<String, Member> changed = new TreeMap<>(members);
        changed.values().removeIf(each -> each.node().equals(member.node()));
        changed.put(name, member);
        return new Roster(changed, lost);
    }

    /** Without that member, which is lost. */
    public Roster withLost(String name) {
        TreeMap<String, Member> changed = new TreeMap<>(members);
        Member member = changed.remove(name);
        List<NodeId> gone = new ArrayList<>(lost);
        if (member != null) {
            gone.remove(member.node());
            gone.add(member.node());
        }
        return new Roster(changed, gone.subList(Math.max(0, gone.size() - MAX_LOST), gone.size()));
    }
}
