package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.namespace.ListingContent;
import io.hawser.agenta.ftp.namespace.PathQueries;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Sends the entries of a directory, or those that a pattern matches, a line each: the common part of LIST, NLST and MLSD. */
final class ListingSender {
    private ListingSender() {}

    /** Sends one line for each entry; a file is listed alone where {@code filesToo} says so. */
    static void send(FtpSession session, String name, boolean filesToo, Function<PathFacts, String> line) {
        find(session, name, path -> list(session, path, filesToo, line, refusal -> session.reply(refusal)));
    }

    /**
     * The same, and where nothing has that name, its last part may be a pattern: classic clients leave {@code mget *.csv} to the
     * server.
     */
    static void sendMatching(FtpSession session, String name, Function<PathFacts, String> line) {
        find(
                session,
                name,
                path -> list(session, path, true, line, refusal -> {
                    boolean missing = refusal.code() == ReplyCode.FILE_UNAVAILABLE;
                    if (missing && !path.isRoot() && GlobPattern.isOne(path.name())) {
                        matching(session, path, line, refusal);
                    } else {
                        session.reply(refusal);
                    }
                }));
    }

    private static void find(FtpSession session, String name, Consumer<FtpPath> found) {
        session.settings().takeSpan();
        (name.isEmpty() ? Optional.of(session.workingDirectory()) : session.resolve(name)).ifPresent(found);
    }

    private static void list(
            FtpSession session,
            FtpPath path,
            boolean filesToo,
            Function<PathFacts, String> line,
            Consumer<FtpReply> refused) {
        PathQueries.list(
                session,
                path,
                filesToo,
                listed -> ListingContent.send(
                        session, listed.entries().stream().map(line).iterator(), listed.summary()),
                refused);
    }

    private static void matching(FtpSession session, FtpPath path, Function<PathFacts, String> line, FtpReply nothing) {
        GlobPattern pattern = new GlobPattern(path.name());
        PathQueries.list(
                session,
                path.parent(),
                false,
                listed -> {
                    List<PathFacts> matches = listed.entries().stream()
                            .filter(entry -> pattern.matches(entry.name()))
                            .toList();
                    if (matches.isEmpty()) {
                        session.reply(nothing);
                    } else {
                        ListingContent.send(session, matches.stream().map(line).iterator(), listed.summary());
                    }
                },
                session::reply);
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
