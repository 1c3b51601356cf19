package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.ListingTransfer;
import io.hawser.agenta.ftp.PathFacts;
import io.hawser.common.ftp.FtpPath;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;

/** What LIST, NLST and MLSD share. */
final class Listings {
    private Listings() {}

    /** Sends one line for each entry; a file is listed alone where {@code filesToo} says so. */
    static void send(FtpSession session, String name, boolean filesToo, Function<PathFacts, String> line) {
        Optional<FtpPath> path = name.isEmpty() ? Optional.of(session.workingDirectory()) : session.resolve(name);
        path.ifPresent(directory -> session.server()
                .directories()
                .list(
                        directory,
                        filesToo,
                        listed -> session.ifOpen(() -> ListingTransfer.send(
                                session, lines(listed.entries().iterator(), line), listed.summary())),
                        refusal -> session.ifOpen(() -> session.reply(refusal))));
    }

    private static Iterator<String> lines(Iterator<PathFacts> entries, Function<PathFacts, String> line) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public String next() {
                return line.apply(entries.next());
            }
        };
    }

    /** The argument without {@code -la} and the like before the path. */
    static String withoutOptions(String argument) {
        String rest = argument;
        while (rest.startsWith("-")) {
            int space = rest.indexOf(' ');
            rest = space < 0 ? "" : rest.substring(space + 1).stripLeading();
        }
        return rest;
    }
}
