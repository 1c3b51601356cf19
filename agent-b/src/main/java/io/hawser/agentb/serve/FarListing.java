package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarFtpClient;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.agentb.deliver.ftp.FarTime;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.Printable;
import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * Lists a directory: by MLSD (RFC 3659 §7), otherwise by LIST as commons-net parses it, otherwise by NLST and a stat of each name. A listing is
 * complete or refused: if lines of LIST cannot be parsed, NLST must give the missing names, and each name must be one that agent-a can show. It changes into the directory first and lists without an
 * argument, so that a name may begin with a dash or hold a {@code *}.
 *
 * <p>Thread: the session's.
 */
final class FarListing {
    /** A listing with more entries is refused, since entries are on the heap. */
    static final int MAX_ENTRIES = 100_000;
    /** A longer listing is refused, too: its lines may have 16 KiB each, and so many would fill the heap. */
    static final long MAX_LISTING_CHARACTERS = 16 << 20;
    /** A listing with more symbolic links is refused: each costs a round trip. */
    static final int MAX_LINKS = 2000;

    private final FarSession session;
    private final FarFtpClient client;
    private final String name;
    /** An entry that agent-a cannot show or ask for. */
    private @Nullable String impossible;

    private FarListing(FarSession session, String name) {
        this.session = session;
        this.client = session.client();
        this.name = name;
    }

    /** The entries in the order of the server, without those that Hawser hides. Refused if another cannot be named. */
    static List<FarEntry> of(FarSession session, String name) throws IOException {
        FarListing listing = new FarListing(session, name);
        List<FarEntry> entries = listing.entries();
        if (listing.impossible != null) {
            throw new NotServedException(
                    ErrorCode.MALFORMED,
                    "a name at the far server is not UTF-8, too long, or has control characters, a slash or \"..\": \""
                            + Printable.shortly(listing.impossible) + "\"; rename it there");
        }
        return entries;
    }

    /** One of the entries, whatever the others are called; empty if it is not there. */
    static Optional<FarEntry> find(FarSession session, String name, String entry) throws IOException {
        return new FarListing(session, name)
                .entries().stream().filter(each -> each.name().equals(entry)).findFirst();
    }

    /** Those that can be named. */
    private List<FarEntry> entries() throws IOException {
        enter();
        List<FarEntry> entries = client.hasFeature("MLST") ? byMlsd() : null;
        if (entries == null) {
            entries = byList();
        }
        return entries == null ? byNames() : withLinks(entries);
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

    /** Null if the server refuses MLSD, or a line cannot be parsed. */
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
            if (!ListingLines.isOfListedDirectory(line)) {
                add(entries, file);
            }
        }
        return entries;
    }

    /** Null if there are lines and none can be parsed. */
    private @Nullable List<FarEntry> byList() throws IOException {
        List<String> lines = lines("LIST", "-a"); // otherwise some servers hide names that begin with a dot
        if (lines == null || lines.isEmpty()) {
            lines = lines("LIST", null);
        }
        if (lines == null) {
            return null;
        }
        List<FTPFile> files = ListingLines.list(lines, system());
        List<FarEntry> entries = new ArrayList<>();
        files.forEach(file -> add(entries, file));
        int missing = ListingLines.entries(lines) - namedEntries(files);
        if (missing <= 0) {
            return entries;
        } else if (files.isEmpty()) {
            return null;
        }
        addMissing(entries, files, missing);
        return entries;
    }

    private static int namedEntries(List<FTPFile> files) {
        return (int) files.stream().filter(file -> !isItself(file.getName())).count();
    }

    private static boolean isItself(@Nullable String name) {
        return ".".equals(name) || "..".equals(name);
    }

    /** Adds the names of NLST that {@code files} lack. Throws {@link NotServedException} if there are fewer than {@code missing}. */
    private void addMissing(List<FarEntry> entries, List<FTPFile> files, int missing) throws IOException {
        Set<String> known = new HashSet<>();
        files.forEach(file -> known.add(String.valueOf(file.getName())));
        List<String> names = lines("NLST", null);
        int found = 0;
        for (String line : names == null ? List.<String>of() : names) {
            String entry = FarName.last(line);
            if (!isItself(entry) && known.add(entry)) {
                found++;
                if (isShown(entry)) {
                    addStat(entries, entry);
                }
            }
        }
        if (found < missing) {
            throw new NotServedException(
                    ErrorCode.STORAGE_FAILED, "Lines of the far server's listing that cannot be parsed: " + missing);
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
            if (isShown(entry)) {
                addStat(entries, entry);
            }
        }
        return entries;
    }

    private void add(List<FarEntry> entries, FTPFile file) {
        String entry = Objects.requireNonNullElse(file.getName(), "");
        if (isShown(entry)) {
            entries.add(FarEntry.of(entry, file));
        }
    }

    private boolean isShown(String entry) {
        if (FarName.isHidden(entry)) {
            return false;
        } else if (FarName.isPossibleEntry(entry)) {
            return true;
        }
        impossible = entry;
        return false;
    }

    /** Replaces links by their targets. */
    private List<FarEntry> withLinks(List<FarEntry> entries) throws IOException {
        List<FarEntry> all = new ArrayList<>(entries.size());
        int links = 0;
        for (FarEntry entry : entries) {
            if (entry.kind() != null) {
                all.add(entry);
            } else if (links++ < MAX_LINKS) {
                addStat(all, entry.name());
            } else {
                throw new NotServedException(
                        ErrorCode.TOO_LARGE, "The directory has more than " + MAX_LINKS + " symbolic links");
            }
        }
        return all;
    }

    /** Adds what a stat of {@code entry} shows; omits a dangling link. */
    private void addStat(List<FarEntry> entries, String entry) throws IOException {
        try {
            RemoteFile file = FarStat.at(session, name.isEmpty() ? entry : name + "/" + entry);
            FarTime modified = file.fingerprint().startsWith(RemoteFile.WHOLE_ONLY_PREFIX)
                    ? FarTime.UNKNOWN
                    : new FarTime(file.modifiedMillis(), false);
            entries.add(new FarEntry(entry, file.kind(), file.sizeBytes(), modified, file.mode()));
        } catch (NotServedException e) {
            if (e.refusal().code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
        }
    }

    /** The lines of a listing command; null if the server does not know it. */
    private @Nullable List<String> lines(String verb, @Nullable String argument) throws IOException {
        List<String> lines = new ArrayList<>();
        long characters = 0;
        session.leaveBlocks();
        try (Socket data = client.beginTransfer(verb, argument, 0)) {
            LineReader in = new LineReader(data.getInputStream());
            for (String line = in.next(); line != null; line = in.next()) {
                characters += line.length();
                if (lines.size() == MAX_ENTRIES || characters > MAX_LISTING_CHARACTERS) {
                    session.close(); // the rest would still arrive
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
