package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarFtpClient;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory: by MLSD (RFC 3659 §7), otherwise by LIST as commons-net reads it, otherwise by NLST and a look at each.
 * A listing is whole or refused: if lines of LIST cannot be read, NLST must tell the names that they stand for. The server is sent into the directory first, and lists without an argument: so a name may begin with a dash or hold a {@code *}.
 *
 * <p>Thread: the session's.
 */
final class FarListing {
    /** More entries of one directory are refused: they are on the heap. */
    static final int MAX_ENTRIES = 100_000;
    /** Longer listings are refused, too: lines of 16 KiB are taken, and so many of these would fill the heap. */
    static final long MAX_LISTING_CHARACTERS = 16 << 20;
    /** How many links of one listing are followed; each costs a round trip. A listing with more is refused. */
    static final int MAX_LINKS = 2000;

    private final FarSession session;
    private final FarFtpClient client;
    private final String name;

    private FarListing(FarSession session, String name) {
        this.session = session;
        this.client = session.client();
        this.name = name;
    }

    /** The entries in the order of the server, without those that cannot be shown. */
    static List<FarEntry> of(FarSession session, String name) throws IOException {
        FarListing listing = new FarListing(session, name);
        listing.enter();
        List<FarEntry> entries = session.client().hasFeature("MLST") ? listing.byMlsd() : null;
        if (entries == null) {
            entries = listing.byList();
        }
        return entries == null ? listing.byNames() : listing.withLinks(entries);
    }

    private void enter() throws IOException {
        int code = client.sendCommand("CWD", FarName.path(session, name));
        if (FTPReply.isPositiveCompletion(code)) {
            return;
        }
        FarRefusedException refused = new FarRefusedException("CWD", code, client.getReplyString());
        if (!name.isEmpty() && !FarStat.at(session, name).isDirectory()) {
            throw new NotServedException(ErrorCode.NOT_DIRECTORY, "Not a directory");
        }
        throw FarRefusals.notServed(refused, ErrorCode.NOT_ALLOWED);
    }

    /** Null if the server does not know MLSD after all, or a line cannot be read. */
    private @Nullable List<FarEntry> byMlsd() throws IOException {
        List<String> lines = lines("MLSD", null);
        if (lines == null) {
            return null;
        }
        List<FarEntry> entries = new ArrayList<>();
        for (String line : lines) {
            FTPFile file = ListingLines.facts(line);
            if (file == null) {
                return null;
            }
            add(entries, file);
        }
        return entries;
    }

    /** Null if there are lines and none could be read. */
    private @Nullable List<FarEntry> byList() throws IOException {
        List<String> lines = lines("LIST", "-a"); // else some servers do not tell names that begin with a dot
        if (lines == null || lines.isEmpty()) {
            lines = lines("LIST", null);
        }
        if (lines == null) {
            return null;
        }
        List<FTPFile> files = ListingLines.list(lines, system());
        List<FarEntry> entries = new ArrayList<>();
        files.forEach(file -> add(entries, file));
        int lacking = ListingLines.entries(lines) - namedEntries(files);
        if (lacking <= 0) {
            return entries;
        } else if (files.isEmpty()) {
            return null;
        }
        addLacking(entries, files, lacking);
        return entries;
    }

    private static int namedEntries(List<FTPFile> files) {
        return (int) files.stream().filter(file -> !isItself(file.getName())).count();
    }

    private static boolean isItself(@Nullable String name) {
        return ".".equals(name) || "..".equals(name);
    }

    /** Adds what NLST tells besides {@code files}. Throws {@link NotServedException} if there are fewer than {@code lacking}. */
    private void addLacking(List<FarEntry> entries, List<FTPFile> files, int lacking) throws IOException {
        Set<String> known = new HashSet<>();
        files.forEach(file -> known.add(String.valueOf(file.getName())));
        List<String> names = lines("NLST", null);
        int found = 0;
        for (String line : names == null ? List.<String>of() : names) {
            String entry = FarName.last(line);
            if (!isItself(entry) && known.add(entry)) {
                found++;
                if (FarName.isShown(entry)) {
                    look(entries, entry);
                }
            }
        }
        if (found < lacking) {
            throw new NotServedException(
                    ErrorCode.STORAGE_FAILED, "The far server's listing has lines that cannot be read: " + lacking);
        }
    }

    private String system() throws IOException {
        return FTPReply.isPositiveCompletion(client.sendCommand("SYST")) ? client.getReplyString() : "";
    }

    private List<FarEntry> byNames() throws IOException {
        List<String> lines = lines("NLST", null);
        if (lines == null) {
            throw new FarRefusedException("NLST", client.getReplyCode(), client.getReplyString());
        }
        List<FarEntry> entries = new ArrayList<>();
        for (String line : lines) {
            String entry = FarName.last(line);
            if (FarName.isShown(entry)) {
                look(entries, entry);
            }
        }
        return entries;
    }

    private void add(List<FarEntry> entries, FTPFile file) {
        if (file.getName() != null && FarName.isShown(file.getName())) {
            entries.add(FarEntry.of(file.getName(), file));
        }
    }

    /** Links are shown as what they lead to. */
    private List<FarEntry> withLinks(List<FarEntry> entries) throws IOException {
        List<FarEntry> all = new ArrayList<>(entries.size());
        int links = 0;
        for (FarEntry entry : entries) {
            if (entry.kind() != null) {
                all.add(entry);
            } else if (links++ < MAX_LINKS) {
                look(all, entry.name());
            } else {
                throw new NotServedException(
                        ErrorCode.TOO_LARGE, "The directory has more than " + MAX_LINKS + " symbolic links");
            }
        }
        return all;
    }

    /** Adds what stands there; a link that leads nowhere is no entry. */
    private void look(List<FarEntry> entries, String entry) throws IOException {
        try {
            RemoteFile file = FarStat.at(session, name.isEmpty() ? entry : name + "/" + entry);
            boolean dated = !file.fingerprint().startsWith(RemoteFile.WHOLE_ONLY_PREFIX);
            entries.add(new FarEntry(
                    entry, file.kind(), file.sizeBytes(), file.modifiedMillis(), false, dated, file.mode()));
        } catch (NotServedException e) {
            if (e.refusal().code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
        }
    }

    /** What the server sends over a data connection; null if it does not know the command. */
    private @Nullable List<String> lines(String verb, @Nullable String argument) throws IOException {
        List<String> lines = new ArrayList<>();
        long characters = 0;
        session.leaveBlocks();
        try (Socket data = client.beginTransfer(verb, argument, 0)) {
            LineReader in = new LineReader(data.getInputStream());
            for (String line = in.next(); line != null; line = in.next()) {
                characters += line.length();
                if (lines.size() == MAX_ENTRIES || characters > MAX_LISTING_CHARACTERS) {
                    session.close(); // the rest is on its way
                    throw new NotServedException(
                            ErrorCode.TOO_LARGE,
                            "The directory has more than " + MAX_ENTRIES + " entries, or more than "
                                    + MAX_LISTING_CHARACTERS + " characters of listing");
                }
                if (!line.isEmpty()) {
                    lines.add(line);
                }
            }
        } catch (FarRefusedException e) {
            if (FTPReply.isNegativePermanent(e.code())) {
                return null;
            }
            throw e;
        }
        client.endTransfer(verb);
        return lines;
    }
}
