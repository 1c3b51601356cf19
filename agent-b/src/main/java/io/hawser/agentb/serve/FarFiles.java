package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ftp.Checksum;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.agentb.deliver.ftp.LoginSecurityFactory;
import io.hawser.agentb.files.ServedFiles;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Lists and reads the files of a directory of a far server, as the package's description explains.
 *
 * <p>Thread: any; all calls block.
 */
public final class FarFiles implements ServedFiles, AutoCloseable {
    /** The fewest connections: one for reads, one for short queries. */
    public static final int MIN_CONNECTIONS = 2;
    /** Connections for short queries, where there are enough. */
    private static final int QUERY_CONNECTIONS = 3;

    private final ReadingSessions sessions;
    private final FarStreams streams;
    private final ListingPages pages;

    private FarFiles(FarServer server, FarOptions options, LoginSecurityFactory security) {
        int queries = Math.min(QUERY_CONNECTIONS, options.parallelism().connections() / 2);
        this.sessions = new ReadingSessions(server, options, security, queries);
        int reads = options.parallelism().connections() - queries;
        this.streams = new FarStreams(sessions, new Retriever(server, options, reads), reads);
        this.pages = new ListingPages(sessions);
    }

    /**
     * Creates a client; dials nothing yet. Throws IOException if the CAs cannot be loaded.
     *
     * @param options its connections are {@value #MIN_CONNECTIONS} or more
     */
    public static FarFiles create(Storage storage, FarServer server, FarOptions options) throws IOException {
        return new FarFiles(server, options, LoginSecurityFactory.of(storage, server, options));
    }

    /** Begins to probe the server while nothing is read. */
    public void watchServer() {
        sessions.watchServer();
    }

    /** RETRs begun so far, for tests. */
    long streamsBegun() {
        return streams.begun();
    }

    /** Data connections in MODE E that wait for the next file, for tests. */
    int blockConnections() {
        return sessions.keptBlockConnections();
    }

    /** Why it cannot answer now, or an empty string. */
    public String problem() {
        return sessions.problem();
    }

    @Override
    public Outcome<RemoteFile> stat(String name) {
        return FarRefusals.attempt(name, () -> Outcome.of(sessions.query(session -> FarStat.at(session, name))));
    }

    @Override
    public Outcome<String> list(String name, String after, ByteBuffer into) {
        return FarRefusals.attempt(name, () -> Outcome.of(pages.page(name, after, into)));
    }

    @Override
    public Outcome<RemoteFile> read(Question.Read question, ByteBuffer into) {
        return FarRefusals.attempt(
                question.name(),
                () -> Outcome.of(streams.read(question.name(), question.fingerprint(), question.offset(), into)));
    }

    @Override
    public Outcome<SlicedChecksum> checksum(Question.Checksum question) {
        return FarRefusals.attempt(question.name(), () -> {
            RemoteFile file = sessions.query(session -> FarStat.file(session, question.name(), ""));
            Optional<String> offered = sessions.query(session -> ask(session, question, file));
            return Outcome.of(
                    offered.isEmpty() ? new FarChecksum(streams, question, file) : new KnownChecksum(offered.get()));
        });
    }

    /** The checksum that the server computes; empty if it does not. */
    private static Optional<String> ask(FarSession session, Question.Checksum question, RemoteFile file)
            throws IOException {
        long length = Math.min(
                question.length() < 0 ? Long.MAX_VALUE : question.length(), file.sizeBytes() - question.offset());
        if (length <= 0) {
            return Optional.empty();
        }
        boolean toEnd = question.offset() + length == file.sizeBytes();
        ChecksumAlgorithm algorithm = question.algorithm();
        Checksum offered =
                Checksum.offeredBy(session.client(), algorithm.label(), question.offset(), toEnd ? -1 : length);
        if (offered == null) {
            return Optional.empty();
        }
        String path = FarName.path(session, question.name());
        String sum = offered.ask(session.client(), path, length, hexDigits(algorithm));
        FarStat.file(session, question.name(), file.fingerprint());
        return Optional.ofNullable(sum);
    }

    private static int hexDigits(ChecksumAlgorithm algorithm) {
        return switch (algorithm) {
            case ADLER32, CRC32 -> 8;
            case MD5 -> 32;
            case SHA1 -> 40;
            case SHA256 -> 64;
            case SHA512 -> 128;
        };
    }

    /** Cuts off what is running. */
    @Override
    public void close() {
        sessions.close();
        streams.close();
    }

    /** A checksum that the server has computed. */
    private record KnownChecksum(String hex) implements SlicedChecksum {
        @Override
        public Outcome<String> nextSlice() {
            return Outcome.of(hex);
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    }
}
