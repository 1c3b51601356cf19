package io.hawser.it.bench.links;

import io.hawser.it.bench.links.LinkWork.Kind;
import io.hawser.it.bench.links.PeerServers.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs that are installed on most machines, or were when files went by Grid. */
enum Peer implements PeerProgram {
    GRIDFTP_4("GridFTP, 4 streams", "globus-url-copy", Server.GRIDFTP, Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return new GridFtpStreams(4).command(kind, servers, local, name);
        }
    },
    GRIDFTP_16("GridFTP, 16 streams", "globus-url-copy", Server.GRIDFTP, Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return new GridFtpStreams(16).command(kind, servers, local, name);
        }
    },
    GRIDFTP_64("GridFTP, 64 streams", "globus-url-copy", Server.GRIDFTP, Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return new GridFtpStreams(64).command(kind, servers, local, name);
        }
    },
    CURL("HTTP (curl)", "curl", Server.HTTP, Kind.UPLOAD, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            String url = servers.http() + "/" + name;
            return kind == Kind.UPLOAD
                    ? List.of("curl", "-sSf", "-T", local.toString(), url)
                    : List.of("curl", "-sSf", "-o", local.toString(), url);
        }
    },
    ARIA2("HTTP, 16 ranges (aria2c)", "aria2c", Server.HTTP, Kind.DOWNLOAD) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
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
    RSYNC("rsync", "rsync", Server.RSYNC, Kind.UPLOAD, Kind.DOWNLOAD, Kind.SMALL) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            String remote = servers.rsync() + "/" + name;
            return switch (kind) {
                case UPLOAD -> List.of("rsync", "-W", local.toString(), remote);
                case DOWNLOAD -> List.of("rsync", "-W", remote, local.toString());
                case SMALL -> List.of("rsync", "-rW", local + "/", remote + "/");
            };
        }
    },
    GRIDFTP_TREE("GridFTP, -fast -pp -cc 16", "globus-url-copy", Server.GRIDFTP, Kind.SMALL) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return tree(servers, local, name, "-pp", "-cc", "16");
        }
    },
    GRIDFTP_TREE_32("GridFTP, -fast -cc 32", "globus-url-copy", Server.GRIDFTP, Kind.SMALL) {
        @Override
        public List<String> command(Kind kind, PeerServers servers, Path local, String name) {
            return tree(servers, local, name, "-cc", "32");
        }
    };

    private final String title;
    private final String client;
    private final Server server;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Kind> kinds;

    Peer(String title, String client, Server server, Kind... kinds) {
        this.title = title;
        this.client = client;
        this.server = server;
        this.kinds = List.of(kinds);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean does(Kind kind) {
        return kinds.contains(kind);
    }

    @Override
    public String client() {
        return client;
    }

    @Override
    public Server server() {
        return server;
    }

    private static List<String> tree(PeerServers servers, Path local, String name, String... how) {
        List<String> words = new ArrayList<>(List.of("globus-url-copy", "-r", "-cd", "-fast"));
        words.addAll(List.of(how));
        words.add("file://" + local + "/");
        words.add(servers.gridFtp() + "/" + name + "/");
        return words;
    }
}
