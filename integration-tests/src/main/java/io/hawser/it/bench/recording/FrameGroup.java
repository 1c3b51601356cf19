package io.hawser.it.bench.recording;

import java.util.List;
import java.util.regex.Pattern;

/** Assigns a sampled stack trace to a kind of work, by the first of its frames that matches a group. */
enum FrameGroup {
    WAITING("waiting", "io\\.netty\\.channel\\.epoll\\.Native\\.(epollWait|timer).*|.*\\.(park|wait0?)"),
    SOCKET_READ(
            "socket: read", "io\\.netty\\.channel\\..*\\.(recv|read)\\w*|sun\\.nio\\.ch\\.SocketDispatcher\\.read.*"),
    SOCKET_WRITE(
            "socket: write",
            "io\\.netty\\.channel\\..*\\.(send|write)\\w*|sun\\.nio\\.ch\\.SocketDispatcher\\.write.*"),
    SHA_256("SHA-256", "(sun\\.security\\.provider\\.(SHA2|DigestBase)|java\\.security\\.MessageDigest).*"),
    CRC("CRC32C", "(java\\.util\\.zip\\.CRC32C|io\\.hawser\\.core\\.integrity\\.Crc32c).*"),
    DISK(
            "disk",
            "(sun\\.nio\\.ch\\.(FileDispatcherImpl|FileChannelImpl|IOUtil)|sun\\.nio\\.fs\\.|java\\.io\\.(File|Random)).*"),
    INDEX("index (H2)", "(org\\.h2\\.|io\\.hawser\\.broker\\.store\\.local\\.).*"),
    RECORDING("the recording itself", "(jdk\\.jfr|io\\.hawser\\.core\\.trace)\\..*"),
    LOGGING("lines of the node's own log", "(ch\\.qos\\.logback|org\\.slf4j)\\..*"),
    PROTOCOL("hop protocol and relay", "io\\.hawser\\.(core\\.(hop|wire|transport|model|buffer)|broker\\.relay)\\..*"),
    PTCP("PTCP", "io\\.hawser\\.ptcp\\..*"),
    NETTY("Netty", "io\\.netty\\..*"),
    NODE("spool, log, landing and front ends", "io\\.hawser\\..*"),
    OTHER("other Java", ".*");

    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // a Pattern does not change
    private final Pattern frames;

    FrameGroup(String title, String frames) {
        this.title = title;
        this.frames = Pattern.compile(frames);
    }

    /** Of a stack whose frames are {@code package.Class.method}, the top first. */
    static FrameGroup of(List<String> stack) {
        for (String frame : stack) {
            for (FrameGroup group : values()) {
                if (group != OTHER && group.frames.matcher(frame).matches()) {
                    return group;
                }
            }
        }
        return OTHER;
    }
}
