package io.hawser.it.bench.links;

import io.hawser.it.bench.links.PeerServers.Server;
import io.hawser.it.bench.links.Race.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A program that others would use for the same, straight from one end of the link to the other, until it has ended.
 *
 * @param title its name for people
 * @param client the program that a user starts
 * @param server what has to run at the right end
 * @param kinds the works that it does
 * @param typed what a user would type
 */
record PeerProgram(String title, String client, Server server, Set<Kind> kinds, Typed typed) {
    /** The words of a command. */
    @FunctionalInterface
    interface Typed {
        /**
         * @param local the file, or directory of small files, at the left end
         * @param name of the same at the right end
         */
        List<String> words(Kind kind, PeerServers servers, Path local, String name);
    }

    private static final String GLOBUS = "globus-url-copy";
    private static final Set<Kind> LARGE = Set.of(Kind.UPLOAD, Kind.DOWNLOAD);

    static final PeerProgram CURL = new PeerProgram(
            "HTTP (curl)",
            "curl",
            Server.HTTP,
            LARGE,
            (kind, servers, local, name) -> List.of(
                    "curl", "-sSf", kind == Kind.UPLOAD ? "-T" : "-o", local.toString(), servers.http() + "/" + name));

    static final PeerProgram ARIA2 = new PeerProgram(
            "HTTP, 16 ranges (aria2c)",
            "aria2c",
            Server.HTTP,
            Set.of(Kind.DOWNLOAD),
            (kind, servers, local, name) -> words(
                    "aria2c -q -x16 -s16 -k1M --file-allocation=none --allow-overwrite=true -d",
                    local.resolveSibling("").toString(),
                    "-o",
                    String.valueOf(local.getFileName()),
                    servers.http() + "/" + name));

    static final PeerProgram RSYNC =
            new PeerProgram("rsync", "rsync", Server.RSYNC, Set.of(Kind.values()), (kind, servers, local, name) -> {
                String remote = servers.rsync() + "/" + name;
                return switch (kind) {
                    case UPLOAD -> List.of("rsync", "-W", local.toString(), remote);
                    case DOWNLOAD -> List.of("rsync", "-W", remote, local.toString());
                    case SMALL -> List.of("rsync", "-rW", local + "/", remote + "/");
                };
            });

    /** Those that are installed on most machines, or were when files went by Grid. */
    static final List<PeerProgram> ALL = List.of(
            gridFtp(4), gridFtp(16), gridFtp(64), CURL, ARIA2, RSYNC, gridFtpTree("-pp -cc 16"), gridFtpTree("-cc 32"));

    /** {@code globus-url-copy} with so many streams. */
    static PeerProgram gridFtp(int streams) {
        String title = "GridFTP, " + streams + (streams == 1 ? " stream" : " streams");
        return new PeerProgram(title, GLOBUS, Server.GRIDFTP, LARGE, (kind, servers, local, name) -> {
            String here = "file://" + local;
            String there = servers.gridFtp() + "/" + name;
            boolean up = kind == Kind.UPLOAD;
            return words(GLOBUS + " -fast -p " + streams, up ? here : there, up ? there : here);
        });
    }

    private static PeerProgram gridFtpTree(String flags) {
        return new PeerProgram(
                "GridFTP, -fast " + flags,
                GLOBUS,
                Server.GRIDFTP,
                Set.of(Kind.SMALL),
                (kind, servers, local, name) -> words(
                        GLOBUS + " -r -cd -fast " + flags,
                        "file://" + local + "/",
                        servers.gridFtp() + "/" + name + "/"));
    }

    private static List<String> words(String first, String... more) {
        List<String> words = new ArrayList<>(List.of(first.split(" ")));
        words.addAll(List.of(more));
        return words;
    }

    boolean does(Kind kind) {
        return kinds.contains(kind);
    }

    /** What has to be installed. */
    List<String> programs() {
        return Stream.of(client, server.program()).distinct().toList();
    }
}
