package io.hawser.core.why;

import java.util.Arrays;
import java.util.Optional;

/**
 * Where a transfer waits on one hop. Each stage has a code for programs, a sentence for people, and a remedy.
 */
public enum WaitStage {
    /** It is over on this hop. */
    NONE("none", Place.OVER, "Nothing waits here", ""),
    /** The hop has sent what it has. */
    NO_INPUT("no-input", Place.BEFORE, "All that has come is sent; more has yet to come", "Look at the hop before it"),
    /** The client of agent-a sends no faster. */
    CLIENT(
            "client",
            Place.HERE,
            "The client sends no faster",
            "Look at the client, its disk and its link to agent-a; several connections at once may help"),
    /** The spool's disk takes no more. */
    FORCE("force", Place.HERE, "The spool's disk takes no more", "Give agent-a's --spool a faster disk"),
    /** Bytes to be sent are read from the disk of the node that sends. */
    SOURCE_DISK(
            "source-disk",
            Place.HERE,
            "Its bytes are being read from the disk of the sending node",
            "Give that node a faster disk, or send less at once"),
    /** The link is full. */
    LINK("link", Place.HERE, "The link takes no more", "Free the link of other traffic, or get a faster one"),
    /** Windows are too small for the round trip. */
    STREAM_WINDOW(
            "stream-window",
            Place.AFTER,
            "The TCP windows are too small for the round trip, or the receiving node reads no faster",
            "Raise net.ipv4.tcp_wmem here and tcp_rmem there, or allow more streams with --streams"),
    /** The link loses packets. */
    LOSS(
            "loss",
            Place.HERE,
            "The link loses packets",
            "Find what drops them; until then more --streams, or BBR as congestion control, help"),
    /** A rate limit. */
    RATE_LIMIT(
            "rate-limit",
            Place.HERE,
            "A rate limit holds it back",
            "Raise --rate of the sending node, or --max-rate of the subscription"),
    /** The receiving end's credit is used up. */
    CREDIT(
            "credit",
            Place.AFTER,
            "As much is in flight as the receiving end allows, and it has yet to acknowledge it",
            "Look at the receiving end; on a long link give it more buffers"),
    /** All is sent; the receiving end has not acknowledged it. */
    ACK(
            "ack",
            Place.AFTER,
            "All of it is sent, and the receiving end has yet to make it durable",
            "Look at the receiving end"),
    /** The broker's log. */
    LOG("log", Place.HERE, "The broker's log takes no more", "Give the broker's --data a faster disk"),
    /** The disk of the far end. */
    FAR_DISK("far-disk", Place.HERE, "The far end's disk takes no more", "Give agent-b a faster disk"),
    /** The far end reads back and hashes what it wrote. */
    VERIFICATION(
            "verification",
            Place.HERE,
            "The far end reads back and hashes what it has written",
            "A faster disk, or more processors, at the far end help"),
    /** The server that agent-b delivers to. */
    FAR_SERVER(
            "far-server",
            Place.HERE,
            "The far server takes no more",
            "Look at that server, its disk and the link from agent-b to it"),
    /** The far end has it and has not delivered it. */
    FAR_END(
            "far-end",
            Place.AFTER,
            "The far end has all of it and has yet to deliver it",
            "Ask 'hawser why' at that agent-b"),
    /** There is no space. */
    SPACE(
            "space",
            Place.STOP,
            "There is no space for it",
            "Free space or raise the quota; it continues by itself when there is room"),
    /** An earlier transfer of its path. */
    PATH_ORDER(
            "path-order", Place.STOP, "An earlier transfer of its path comes first", "Ask 'hawser why' about that one"),
    /** The group's permit. */
    PERMIT("permit", Place.STOP, "Its group has yet to decide which member may deliver it", "Look at the broker's log"),
    /** The other node is not connected, or does not answer. */
    PEER_AWAY(
            "peer-away",
            Place.STOP,
            "The other node is away",
            "Start it, or repair the network; the transfer then resumes by itself"),
    /** No subscription has come for it. */
    UNCLAIMED(
            "unclaimed",
            Place.STOP,
            "No subscription of its topic exists",
            "Start 'hawser agent-b --subscribe TOPIC'; if the topic is a mistake, 'hawser drop KEY'"),
    /** A right is missing. */
    RIGHT("right", Place.STOP, "A right at the broker is missing", "Grant it in the broker's --acl file"),
    /** It is refused for another reason. */
    REFUSED("refused", Place.STOP, "It is refused for now", "Remove the cause; Hawser retries by itself"),
    /** The target fails, and it is tried again. */
    TARGET("target", Place.STOP, "The target does not accept it", "Remove the cause; Hawser retries by itself"),
    /** A person has to act. */
    DEAD_LETTER(
            "dead-letter",
            Place.STOP,
            "It is a dead letter",
            "'hawser dead retry KEY' delivers it, 'hawser dead drop KEY' discards it"),
    /** An operator holds it. */
    HELD("held", Place.STOP, "An operator holds it", "'hawser release KEY' lets it go on"),
    /** Others are before it. */
    QUEUE("queue", Place.STOP, "Others are before it in line", "Wait, or send less at once");

    /** Where the cause is, seen from the hop. */
    enum Place {
        OVER,
        BEFORE,
        HERE,
        AFTER,
        /** Here, and nothing moves until it has gone. */
        STOP
    }

    private final String code;
    private final Place place;
    private final String sentence;
    private final String remedy;

    WaitStage(String code, Place place, String sentence, String remedy) {
        this.code = code;
        this.place = place;
        this.sentence = sentence;
        this.remedy = remedy;
    }

    /** The code for programs, such as {@code rate-limit}. */
    public String code() {
        return code;
    }

    /** The stage of that code; empty if there is none. */
    public static Optional<WaitStage> of(String code) {
        return Arrays.stream(values()).filter(stage -> stage.code.equals(code)).findFirst();
    }

    String sentence() {
        return sentence;
    }

    String remedy() {
        return remedy;
    }

    /** Whether the hop before it has the answer. */
    public boolean isBefore() {
        return place == Place.BEFORE;
    }

    /** Whether the receiving end of the hop knows more. */
    public boolean isAfter() {
        return place == Place.AFTER;
    }

    /** Whether there is nothing to wait for on this hop any more. */
    public boolean isOver() {
        return place == Place.OVER;
    }

    /** Whether nothing at all moves while it is so. */
    public boolean stops() {
        return place == Place.STOP;
    }
}
