package io.hawser.ops.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names and addresses that a certificate holds.
 *
 * <p>Thread: main only.
 */
final class KeyHosts {
    private KeyHosts() {}

    /** This machine's names, and those that were given. */
    static Set<String> of(List<String> given) {
        Set<String> names = new TreeSet<>(List.of("localhost", "127.0.0.1", "::1"));
        ownName(names);
        names.addAll(only(given));
        return names;
    }

    static Set<String> only(List<String> given) {
        Set<String> names = new TreeSet<>();
        given.stream()
                .flatMap(host -> Arrays.stream(host.split(",")))
                .map(String::strip)
                .forEach(names::add);
        for (String name : names) {
            if (!name.matches("[A-Za-z0-9*][A-Za-z0-9.-]*|[0-9a-fA-F:]+")) {
                throw new CommandException(ExitCode.USAGE, "--host '" + name + "' is neither a name nor an address");
            }
        }
        return names;
    }

    private static void ownName(Set<String> names) {
        try {
            names.add(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            // Without a name in DNS this machine is reached by its address.
            return;
        }
    }
}
