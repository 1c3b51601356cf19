package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.blocks.BlockConnections;
import io.hawser.agentb.blocks.NoPortException;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ListenOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A login at the far server: TYPE I, its features, the directories that are known to be there. Paths are absolute as far as the
 * server says where it is (PWD).
 *
 * <p>After any exception but {@link FarRefusedException} it is of no use any more.
 *
 * <p>Thread: one at a time; {@link #abandon} any.
 */
public final class FarSession implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(FarSession.class);
    /** {@link #sizeOf}: nothing stands there. */
    static final long MISSING = -1;
    /** {@link #sizeOf}: the server does not tell sizes. */
    static final long UNKNOWN = -2;

    private static final int FIRST_NOT_ASCII = 0x80;
    private static final int FILE_UNAVAILABLE = FTPReply.FILE_UNAVAILABLE; // 550
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final FarFtpClient client;
    private final String base;
    private final boolean tellsSizes;
    private final Set<String> knownDirectories = new HashSet<>();
    private long lastUsedNanos = System.nanoTime();
    private boolean used;
    private volatile @Nullable BlockConnections blocks;
    private boolean askedAboutNames;
    private boolean keepsNames;

    private FarSession(FarFtpClient client, String base) throws IOException {
        this.client = client;
        this.base = base;
        this.tellsSizes = client.hasFeature("SIZE");
    }

    /** Connects and logs in. Throws {@link FarLoginException} if the server does not want us. */
    public static FarSession open(FarServer server, FarOptions options, FarSecurity security) throws IOException {
        LoginSecurity login = security.begin();
        FarFtpClient client = new FarFtpClient(server, options, login);
        try {
            client.open();
            if (!client.login(server.user(), options.password().reveal())) {
                throw new FarLoginException(server, client.getReplyCode(), client.getReplyString(), login.hint());
            }
            client.protectData();
            boolean hasFeatures = client.features();
            client.setUseEPSVwithIPv4(hasFeatures && client.hasFeature("EPSV"));
            if (hasFeatures && client.hasFeature("UTF8")) {
                int unused = client.sendCommand("OPTS", "UTF8 ON");
            }
            client.command("TYPE", "I"); // before PASV: Globus fixes the type when the data port is opened
            return new FarSession(client, base(server.directory(), client.printWorkingDirectory()));
        } catch (IOException | RuntimeException e) {
            client.abandon();
            throw e;
        }
    }

    private static String base(String directory, @Nullable String home) {
        String start = home == null || home.equals("/") ? "" : home;
        if (directory.equals("/~") || directory.startsWith("/~/")) {
            return start + directory.substring("/~".length());
        }
        if (directory.startsWith("/")) {
            return directory.equals("/") ? "" : directory;
        }
        return directory.isEmpty() ? start : start + "/" + directory;
    }

    public FarFtpClient client() {
        return client;
    }

    /** The server's path of {@code name}, which is relative to the URL's directory. */
    public String path(String name) {
        return base + "/" + name;
    }

    /** The size of a file, or {@link #MISSING}, or {@link #UNKNOWN}. */
    long sizeOf(String path) throws IOException {
        int code = client.sendCommand("SIZE", path);
        if (code == FTPReply.FILE_STATUS) {
            String[] words = client.getReplyString().strip().split("\\s+");
            if (words.length > 1 && words[1].matches("[0-9]{1,18}")) {
                return Long.parseLong(words[1]);
            }
            return UNKNOWN;
        }
        if (FTPReply.isPositiveCompletion(code) || FTPReply.isNegativeTransient(code)) {
            throw new FarRefusedException("SIZE", code, client.getReplyString());
        }
        return tellsSizes || code == FILE_UNAVAILABLE ? MISSING : UNKNOWN;
    }

    /** Makes {@code directory} and what leads to it, as far as they are not there. */
    void makeDirectories(String directory) throws IOException {
        if (directory.isEmpty() || directory.equals("/") || knownDirectories.contains(directory)) {
            return;
        }
        if (!isDirectory(directory)) {
            makeDirectories(parentOf(directory));
            int code = client.sendCommand("MKD", directory);
            String reply = client.getReplyString();
            if (!FTPReply.isPositiveCompletion(code) && !isDirectory(directory)) { // another may have made it
                throw new FarRefusedException("MKD", code, reply);
            }
        }
        knownDirectories.add(directory);
    }

    private boolean isDirectory(String directory) throws IOException {
        return FTPReply.isPositiveCompletion(client.sendCommand("CWD", directory));
    }

    /**
     * Demands that the server keeps {@code name} as it is.
     *
     * <p>globus-gridftp-server drops every byte that is not ASCII without a word, so that two names become one. Such a server is
     * recognized by a directory that it says to have: the last segments of its path vanish there.
     */
    void checkName(String name) throws IOException {
        if (name.chars().allMatch(c -> c < FIRST_NOT_ASCII)) {
            return;
        }
        if (!askedAboutNames) {
            makeDirectories(base);
            keepsNames = !isDirectory(base + "/\u00e9\u00e8\u00ea/\u00eb\u00e9");
            askedAboutNames = true;
        }
        if (!keepsNames) {
            throw new PermanentFailureException(
                    "The far server drops characters that are not ASCII from names without a word,"
                            + " so this name cannot be kept there. Rename it.");
        }
    }

    static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    /** A new directory may be made at any time, but one that was known may go; after a refusal nothing is known. */
    void forgetDirectories() {
        knownDirectories.clear();
    }

    /** Begins an upload, or a download (RETR). */
    Socket store(String verb, String path, long offset) throws IOException {
        return client.beginTransfer(verb, path, offset);
    }

    /** What the server may have said before it cut a transfer off, or null. */
    @Nullable
    FarRefusedException lastWords(String verb) {
        try {
            client.setSoTimeout((int) LAST_WORDS.toMillis());
            int code = client.getReply();
            return FTPReply.isPositiveCompletion(code) || FTPReply.isPositivePreliminary(code)
                    ? null
                    : new FarRefusedException(verb, code, client.getReplyString());
        } catch (IOException e) {
            return null;
        }
    }

    void delete(String path) throws IOException {
        client.command("DELE", path);
    }

    /** Whether a rename from {@code path} could begin: something is there. */
    boolean isThere(String path) throws IOException {
        return FTPReply.isPositiveIntermediate(client.sendCommand("RNFR", path));
    }

    void rename(String from, String to) throws IOException {
        client.command("RNFR", from);
        client.command("RNTO", to);
    }

    /** Renames; where the server does not rename over an existing file, that one is deleted first. */
    void replace(String from, String to) throws IOException {
        client.command("RNFR", from); // if that is refused, what stands at the new name is not in its way
        try {
            client.command("RNTO", to);
        } catch (FarRefusedException e) {
            if (sizeOf(to) < 0) {
                throw e;
            }
            delete(to);
            rename(from, to);
        }
    }

    /** The next transfer is one in stream mode; an upload in blocks asks for its own mode. */
    void streamMode() throws IOException {
        client.command("MODE", "S");
    }

    /**
     * Where the server dials to send files in MODE E, ready for a RETR: the connections that it has dialled before, or a new place
     * for as many streams as {@code options} allows. Throws {@link FarRefusedException} if it does not do that, and {@link
     * NoPortException} if there is no place.
     */
    public BlockConnections blocks(FarOptions options) throws IOException {
        BlockConnections opened = blocks;
        if (opened == null) {
            ListenOptions listening = options.listening();
            opened = new BlockConnections(
                    client.getLocalAddress(), client.getRemoteAddress(), listening.ports(), this::secured);
            blocks = opened;
            client.command("MODE", "E");
            int streams = options.parallelism().streams();
            int unused = client.sendCommand("OPTS", "RETR Parallelism=%d,%d,%d;".formatted(streams, streams, streams));
            client.dialHere(opened.address(listening.address()));
        }
        return opened;
    }

    private Socket secured(Socket plain) throws IOException {
        plain.setSoTimeout(client.getDefaultTimeout());
        Socket secured = client.security().dialled(plain);
        plain.setSoTimeout(0); // whoever takes bytes notices silence
        return secured;
    }

    /** How many data connections wait for the next file in MODE E. */
    public int blockConnections() {
        BlockConnections opened = blocks;
        return opened == null ? 0 : opened.count();
    }

    /** Ends what {@link #blocks} began, if it did: the next transfer is one in stream mode. */
    public void leaveBlocks() throws IOException {
        BlockConnections opened = blocks;
        if (opened != null) {
            blocks = null;
            opened.close();
            streamMode();
        }
    }

    /** Whether it has been idle for longer than {@code limit}: the server may have hung up. */
    public boolean isStale(Duration limit) {
        return System.nanoTime() - lastUsedNanos > limit.toNanos();
    }

    /** Whether something was done with it before; then its first failure may only mean that the server hung up meanwhile. */
    public boolean wasUsed() {
        return used;
    }

    public void touched() {
        used = true;
        lastUsedNanos = System.nanoTime();
    }

    /** Closes the sockets at once. */
    void abandon() throws IOException {
        client.abandon();
    }

    @Override
    public void close() {
        BlockConnections opened = blocks;
        if (opened != null) {
            opened.close();
        }
        try {
            client.abandon(); // without QUIT, which would wait for an answer; a closed connection is a normal end
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing a session of the far server failed");
        }
    }
}
