package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.blocks.BlockConnectionListener;
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
 * A login at the far server, in TYPE I, with what agent-b knows of the server's features and directories. Paths are absolute if the server answers
 * PWD.
 *
 * <p>After any exception but {@link FarRefusedException} it cannot be used any more.
 *
 * <p>Thread: one at a time; {@link #abandon} any.
 */
public final class FarSession implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(FarSession.class);
    /** {@link #sizeOf}: no such file. */
    static final long MISSING = -1;
    /** {@link #sizeOf}: the server gives no sizes. */
    static final long UNKNOWN = -2;

    private static final int FIRST_NOT_ASCII = 0x80;
    private static final Duration FINAL_REPLY_TIMEOUT = Duration.ofSeconds(2);

    private final FarFtpClient client;
    private final String base;
    private final boolean givesSizes;
    private final Set<String> knownDirectories = new HashSet<>();
    private long lastUsedNanos = System.nanoTime();
    private boolean used;
    private volatile @Nullable BlockConnectionListener blocks;
    private boolean askedAboutNames;
    private boolean keepsNames;

    private FarSession(FarFtpClient client, String base) throws IOException {
        this.client = client;
        this.base = base;
        this.givesSizes = client.hasFeature("SIZE");
    }

    /** Connects and logs in. Throws {@link FarLoginException} if the server refuses the login. */
    public static FarSession open(FarServer server, FarOptions options, LoginSecurityFactory security)
            throws IOException {
        LoginSecurity login = security.newLogin();
        FarFtpClient client = new FarFtpClient(server, options, login);
        try {
            client.open();
            if (!client.login(server.user(), options.password().reveal())) {
                throw new FarLoginException(
                        server, client.getReplyCode(), client.getReplyString(), login.refusedLoginHint());
            }
            login.afterLogin(client);
            boolean hasFeatures = client.features();
            client.setUseEPSVwithIPv4(hasFeatures && client.hasFeature("EPSV"));
            if (hasFeatures && client.hasFeature("UTF8")) {
                int unused = client.sendCommand("OPTS", "UTF8 ON");
            }
            client.command("TYPE", "I"); // before PASV: Globus fixes the type when it opens the data port
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
        return givesSizes || code == FTPReply.FILE_UNAVAILABLE ? MISSING : UNKNOWN;
    }

    /** Makes {@code directory} and its missing parents. */
    void makeDirectories(String directory) throws IOException {
        if (directory.isEmpty() || directory.equals("/") || knownDirectories.contains(directory)) {
            return;
        }
        if (!isDirectory(directory)) {
            makeDirectories(parentOf(directory));
            int code = client.sendCommand("MKD", directory);
            String reply = client.getReplyString();
            if (!FTPReply.isPositiveCompletion(code) && !isDirectory(directory)) { // another session may have made it
                throw new FarRefusedException("MKD", code, reply);
            }
        }
        knownDirectories.add(directory);
    }

    private boolean isDirectory(String directory) throws IOException {
        return FTPReply.isPositiveCompletion(client.sendCommand("CWD", directory));
    }

    /**
     * Throws unless the server keeps {@code name} unchanged.
     *
     * <p>globus-gridftp-server silently drops every byte that is not ASCII, so that two names become one. The probe is a directory whose last segments
     * such a server drops: it reports that the directory exists.
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
                    "The far server silently drops characters that are not ASCII from names, so it cannot keep this name. Rename it.");
        }
    }

    static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    /** After a refusal: a known directory may have been removed. */
    void forgetDirectories() {
        knownDirectories.clear();
    }

    /** The error reply that the server may have sent before it cut a transfer off, or null. */
    @Nullable
    FarRefusedException finalReply(String verb) {
        try {
            client.setSoTimeout((int) FINAL_REPLY_TIMEOUT.toMillis());
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

    /** Deletes a file unless it is gone already. */
    void deleteIfThere(String path) throws IOException {
        if (sizeOf(path) != MISSING) {
            try {
                delete(path);
            } catch (FarRefusedException e) {
                if (exists(path)) { // some servers give no sizes
                    throw e;
                }
            }
        }
    }

    /** Whether something is at {@code path}: the server accepts RNFR. */
    boolean exists(String path) throws IOException {
        return FTPReply.isPositiveIntermediate(client.sendCommand("RNFR", path));
    }

    void rename(String from, String to) throws IOException {
        client.command("RNFR", from);
        client.command("RNTO", to);
    }

    /** Renames; where the server does not rename over an existing file, deletes that one first. */
    void replace(String from, String to) throws IOException {
        client.command("RNFR", from); // if the server refuses this, the file at the new name is not the cause
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

    /** Sets stream mode for the next transfer; an upload in blocks sets its own mode. */
    void streamMode() throws IOException {
        client.command("MODE", "S");
    }

    /**
     * Prepares a RETR in MODE E, in which the server dials: returns the connections that it has dialled before, or listens for as many as {@code
     * options} allow. Throws {@link FarRefusedException} if the server refuses, and {@link NoPortException} if no port is free.
     */
    public BlockConnectionListener blocks(FarOptions options) throws IOException {
        BlockConnectionListener opened = blocks;
        if (opened == null) {
            ListenOptions listening = options.listening();
            opened = new BlockConnectionListener(
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
        Socket secured = client.security().secureIncoming(plain);
        plain.setSoTimeout(0); // the reader of the bytes notices silence
        return secured;
    }

    /** Data connections that wait for the next file in MODE E. */
    public int blockConnections() {
        BlockConnectionListener opened = blocks;
        return opened == null ? 0 : opened.count();
    }

    /** Closes the connections of {@link #blocks}, if any, and returns to stream mode. */
    public void leaveBlocks() throws IOException {
        BlockConnectionListener opened = blocks;
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

    /** Whether it was used before; then a failure may only mean that the server hung up while it was idle. */
    public boolean wasUsed() {
        return used;
    }

    void markUsed() {
        used = true;
        lastUsedNanos = System.nanoTime();
    }

    /** Closes the sockets at once. */
    void abandon() throws IOException {
        client.abandon();
    }

    @Override
    public void close() {
        BlockConnectionListener opened = blocks;
        if (opened != null) {
            opened.close();
        }
        try {
            client.abandon(); // without QUIT, which would wait for a reply
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing a session of the far server failed");
        }
    }
}
