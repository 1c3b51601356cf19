package io.hawser.it.bench.links;

import io.hawser.it.bench.links.LinkWork.Kind;
import io.hawser.it.bench.links.Wan.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A program that others would use for the same, straight from one end of the link to the other, until it has ended. */
enum Peer {
    GRIDFTP_4("GridFTP, 4 streams", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return gridFtp(4, kind, servers, local, name);
        }
    },
    GRIDFTP_16("GridFTP, 16 streams", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return gridFtp(16, kind, servers, local, name);
        }
    },
    GRIDFTP_64("GridFTP, 64 streams", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return gridFtp(64, kind, servers, local, name);
        }
    },
    CURL("HTTP (curl)", Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            String url = servers.http() + "/" + name;
            return kind == Kind.UPLOAD
                    ? List.of("curl", "-sSf", "-T", local.toString(), url)
                    : List.of("curl", "-sSf", "-o", local.toString(), url);
        }
    },
    ARIA2("HTTP, 16 ranges (aria2c)", Kind.DOWNLOAD) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return List.of(
                    "aria2c",
                    "-q",
                    "-x16",
                    "-s16",
                    "-k1M",
                    "--file-allocation=none",
                    "--allow-overwrite=true",
                    "-d",
                    local.resolveSibling("").toString(),
                    "-o",
                    String.valueOf(local.getFileName()),
                    servers.http() + "/" + name);
        }
    },
    RSYNC("rsync", Kind.UPLOAD, Kind.DOWNLOAD, Kind.SMALL) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            String remote = servers.rsync() + "/" + name;
            return switch (kind) {
                case UPLOAD -> List.of("rsync", "-W", local.toString(), remote);
                case DOWNLOAD -> List.of("rsync", "-W", remote, local.toString());
                case SMALL -> List.of("rsync", "-rW", local + "/", remote + "/");
            };
        }
    },
    GRIDFTP_TREE("GridFTP, -fast -pp -cc 16", Kind.SMALL) {
        @Override
        List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return List.of(
                    "globus-url-copy",
                    "-r",
                    "-cd",
                    "-fast",
                    "-pp",
                    "-cc",
                    "16",
                    "file://" + local + "/",
                    servers.gridFtp() + "/" + name + "/");
        }
    };

    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Kind> kinds;

    Peer(String title, Kind... kinds) {
        this.title = title;
        this.kinds = List.of(kinds);
    }

    boolean does(Kind kind) {
        return kinds.contains(kind);
    }

    /** What a user would type. */
    abstract List<String> command(Kind kind, PeerServers servers, Path local, String name);

    private static List<String> gridFtp(int streams, Kind kind, PeerServers servers, Path local, String name) {
        String here = "file://" + local;
        String there = servers.gridFtp() + "/" + name;
        boolean up = kind == Kind.UPLOAD;
        return List.of(
                "globus-url-copy", "-fast", "-p", Integer.toString(streams), up ? here : there, up ? there : here);
    }

    /**
     * Runs it once.
     *
     * @param source a file, or a directory of small ones
     * @return the seconds that it took
     * @throws IOException if it failed, or other bytes are there than were sent
     */
    double run(Wan wan, PeerServers servers, LinkWork work, Path source, String name)
            throws IOException, InterruptedException {
        boolean down = work.kind == Kind.DOWNLOAD;
        Path local = down ? source.resolveSibling(name + ".got") : source;
        Path remote = servers.root().resolve(name);
        if (down) {
            Files.copy(source, remote);
        }
        String[] command = command(work.kind, servers, local, name).toArray(String[]::new);
        long began = System.nanoTime();
        int code = wan.run(Site.LEFT, command);
        double seconds = (System.nanoTime() - began) / 1e9;
        if (code != 0 || !isEqual(source, down ? local : remote)) {
            throw new IOException(Arrays.toString(command) + (code == 0 ? " brought other bytes" : " failed: " + code));
        }
        if (down) {
            Files.delete(local);
        }
        return seconds;
    }

    private static boolean isEqual(Path source, Path copy) throws IOException {
        return Files.isDirectory(source) ? files(source) == files(copy) : Files.mismatch(source, copy) < 0;
    }

    private static long files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).count();
        }
    }
}
