package io.hawser.release.process;

import io.hawser.core.config.HostPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The commands that start nodes, with what every one of them needs. Pure. */
public final class NodeCommands {
    /** The topic that uploads go to. */
    public static final String TOPIC = "site-b";

    /** An address of this machine with a free port. */
    static final HostPort ANY = new HostPort("127.0.0.1", 0);

    private NodeCommands() {}

    static List<String> broker(HostPort listen, Path data, HostPort admin) {
        return words("broker", "--listen", listen, "--data", data, "--admin", admin);
    }

    /** @param brokers where they listen, separated by commas */
    static List<String> agentA(String brokers, Path spool, HostPort ftp, HostPort admin) {
        return words("agent-a", "--broker", brokers, "--spool", spool, "--ftp", ftp, "--to", TOPIC, "--admin", admin);
    }

    /** An agent-b whose admin pages are on a free port. */
    public static List<String> agentB(String brokers, Path data, String into, String subscription) {
        return agentB(brokers, data, into, subscription, ANY);
    }

    static List<String> agentB(String brokers, Path data, String into, String subscription, HostPort admin) {
        List<String> words = words("agent-b", "--broker", brokers, "--data", data, "--subscribe", TOPIC);
        words.addAll(words("--into", into, "--name", subscription, "--admin", admin));
        return words;
    }

    /** Words that can be added to. */
    private static List<String> words(Object... words) {
        return Arrays.stream(words).map(Object::toString).collect(Collectors.toCollection(ArrayList::new));
    }
}
