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
import org.apache.commons.net.ftp.FTPFileEntryParser;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * Lists a directory: by MLSD (RFC 3659 §7), otherwise by LIST as commons-net parses it, otherwise by NLST and a stat of each name. A listing is
 * complete or refused: if lines of LIST cannot be parsed, NLST must give the missing names, and each name must be one that agent-a can show. It changes into the directory first and lists without an
 * argument, so that a name may begin with a dash or hold a {@code *}.
 *
 * <p>Each line is parsed as it arrives, and only its {@link FarEntry} is kept.
 *
 * <p>Thread: the session's.
 */
final class FarListing {
    /** A listing with more lines is refused. */
    static final int MAX_ENTRIES = 100_000;
    /** A listing with more symbolic links is refused: each costs a round trip. */
    static final int MAX_LINKS = 2000;

    private static final int UNKNOWN = -1;

    private final FarSession session;
    private final FarFtpClient client;
    private final String name;
    /** Lines that no entry was made of. */
    private int unparsable;
    /** An entry that agent-a cannot show or ask for. */
    private @Nullable String impossible;

    /** Takes what arrives, while it arrives. */
    private interface Sink<T> {
        void take(T item) throws NotServedException;
    }

    private FarListing(FarSession session, String name) {
        this.session = session;
        this.client = session.client();
        this.name = name;
    }

    /**
     * The entries in the order of the server, without those that Hawser hides. Refused if another cannot be named.
     *
     * @param memory for the entries; the caller releases it
     */
    static List<FarEntry> of(FarSession session, String name, ListingMemory.Share memory) throws IOException {
        FarListing listing = new FarListing(session, name);
        List<FarEntry> entries = listing.entries(memory);
        if (listing.impossible != null) {
            throw new NotServedException(
                    ErrorCode.MALFORMED,
                    "a name at the far server is not UTF-8, too long, or has control characters, a slash or \"..\": \""
                            + Printable.shortly(listing.impossible) + "\"; rename it there");
        }
        return entries;
    }

    /** One of the entries of LIST, whatever the others are called; empty if it is not there. For a server that knows neither MLST nor SIZE. */
    static Optional<FarEntry> find(FarSession session, String name, String entry) throws IOException {
        FarListing listing = new FarListing(session, name);
        listing.enter();
        List<FarEntry> found = new ArrayList<>();
        boolean known = listing.list(file -> {
            if (found.isEmpty() && entry.equals(file.getName())) {
                found.add(FarEntry.of(entry, file));
            }
        });
        boolean maybeUnparsed = found.isEmpty() && (!known || listing.unparsable > 0);
        if (maybeUnparsed || (!found.isEmpty() && found.get(0).kind() == null)) {
            throw new NotServedException(
                    ErrorCode.STORAGE_FAILED,
                    "The far server knows neither MLST nor SIZE, and its LIST does not show what is at this name");
        }
        return found.stream().findFirst();
    }

    /** Those that can be named. */
    private List<FarEntry> entries(ListingMemory.Share memory) throws IOException {
        enter();
        List<FarEntry> entries = client.hasFeature("MLST") ? byMlsd(memory) : null;
        if (entries == null) {
            memory.release();
            entries = byList(memory);
        }
        return entries == null ? byNames(memory) : withLinks(entries);
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
    private @Nullable List<FarEntry> byMlsd(ListingMemory.Share memory) throws IOException {
        List<FarEntry> entries = new ArrayList<>();
        int count = lines("MLSD", null, line -> {
            FTPFile file = unparsable == 0 ? ListingLines.facts(line) : null;
            if (file == null) {
                unparsable++;
            } else if (!ListingLines.isOfListedDirectory(line)) {
                add(entries, file, memory);
            }
        });
        if (count == UNKNOWN || unparsable > 0) {
            return null;
        }
        entries.removeIf(entry -> !isShown(entry.name()));
        return entries;
    }

    /** Null if there are lines and none can be parsed. */
    private @Nullable List<FarEntry> byList(ListingMemory.Share memory) throws IOException {
        List<FarEntry> entries = new ArrayList<>();
        if (!list(file -> add(entries, file, memory)) || (entries.isEmpty() && unparsable > 0)) {
            return null;
        }
        List<String> missing = unparsable > 0 ? missing(entries, memory) : List.of();
        entries.removeIf(entry -> !isShown(entry.name()));
        for (String entry : missing) {
            if (isShown(entry)) {
                addStat(entries, entry);
            }
        }
        return entries;
    }

    /** Parses LIST, and counts the lines that cannot be parsed; false if the server does not know it. */
    private boolean list(Sink<FTPFile> files) throws IOException {
        FTPFileEntryParser parser = ListingLines.parser(system());
        unparsable = 0;
        Sink<String> parsing = line -> {
            FTPFile file = ListingLines.listed(parser, line);
            if (file != null) {
                files.take(file);
            } else if (ListingLines.isEntry(line)) {
                unparsable++;
            }
        };
        int count = lines("LIST", "-a", parsing); // otherwise some servers hide names that begin with a dot
        return count > 0 || lines("LIST", null, parsing) != UNKNOWN;
    }

    private static boolean isItself(String name) {
        return ".".equals(name) || "..".equals(name);
    }

    /** The names of NLST that {@code entries} lack. Throws {@link NotServedException} if there are fewer than lines that cannot be parsed. */
    private List<String> missing(List<FarEntry> entries, ListingMemory.Share memory) throws IOException {
        Set<String> known = new HashSet<>();
        entries.forEach(entry -> known.add(entry.name()));
        List<String> missing = names(known, memory);
        if (missing == null || missing.size() < unparsable) {
            throw new NotServedException(
                    ErrorCode.STORAGE_FAILED, "Lines of the far server's listing that cannot be parsed: " + unparsable);
        }
        return missing;
    }

    /** The names of NLST that are not in {@code known}, which gets them; null if the server does not know it. */
    private @Nullable List<String> names(Set<String> known, ListingMemory.Share memory) throws IOException {
        List<String> names = new ArrayList<>();
        int count = lines("NLST", null, line -> {
            String entry = FarName.last(line);
            if (!isItself(entry) && known.add(entry)) {
                memory.add(entry);
                names.add(entry);
            }
        });
        return count == UNKNOWN ? null : names;
    }

    private String system() throws IOException {
        return FTPReply.isPositiveCompletion(client.sendCommand("SYST")) ? client.getReplyString() : "";
    }

    private List<FarEntry> byNames(ListingMemory.Share memory) throws IOException {
        memory.release();
        List<String> names = names(new HashSet<>(), memory);
        if (names == null) {
            throw new FarRefusedException("NLST", client.getReplyCode(), client.getReplyString());
        }
        List<FarEntry> entries = new ArrayList<>();
        for (String entry : names) {
            if (isShown(entry)) {
                addStat(entries, entry);
            }
        }
        return entries;
    }

    private static void add(List<FarEntry> entries, FTPFile file, ListingMemory.Share memory)
            throws NotServedException {
        String entry = Objects.requireNonNullElse(file.getName(), "");
        memory.add(entry);
        entries.add(FarEntry.of(entry, file));
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

    /** Passes on the lines of a listing command, and counts them; {@link #UNKNOWN} if the server does not know it. */
    private int lines(String verb, @Nullable String argument, Sink<String> sink) throws IOException {
        int read = 0;
        int count = 0;
        session.leaveBlocks();
        try (Socket data = client.beginTransfer(verb, argument, 0)) {
            LineReader in = new LineReader(data.getInputStream());
            for (String line = in.next(); line != null; line = in.next()) {
                if (read++ == MAX_ENTRIES) {
                    throw new NotServedException(
                            ErrorCode.TOO_LARGE, "The directory has more than " + MAX_ENTRIES + " entries");
                }
                if (!line.isEmpty()) {
                    count++;
                    sink.take(line);
                }
            }
        } catch (NotServedException e) {
            session.close(); // the rest would still arrive
            throw e;
        } catch (FarRefusedException e) {
            if (FTPReply.isNegativePermanent(e.code())) {
                return UNKNOWN;
            }
            throw e;
        }
        client.endTransfer(verb);
        return count;
    }
}
