package io.hawser.agenta.ftp.session;

import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.upload.EndEvidence;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client has said about its transfers. TYPE holds until it is changed; REST and ALLO are for the next transfer only.
 * The type is looked at when the transfer begins, not when its port was opened: curl sends EPSV before TYPE.
 *
 * <p>Thread: the loop.
 */
public final class TransferSettings {
    private static final int LEAST_SOCKET_BUFFER_BYTES = 16 << 10;
    /** The kernel's memory is shared by all: what one client may ask of it is bounded. */
    private static final int MOST_SOCKET_BUFFER_BYTES = 16 << 20;

    private boolean ascii = true; // RFC 959 section 5.1: the default is ASCII Non-print
    private int socketBufferBytes;
    private boolean extendedBlocks;
    private FragmentRanges restartRanges = new FragmentRanges();
    private boolean passiveDelayed;
    private String delayedAddress = "";
    private int parallelism = 1;
    private @Nullable ChangedPath renamed;
    private @Nullable Set<String> mlstFacts;
    private ChecksumAlgorithm hash = ChecksumAlgorithm.SHA256;
    private long rangeEndBytes = RequestedRange.TO_THE_END;
    private boolean ofRang;
    private long announcedBytes = EndEvidence.NOT_ANNOUNCED;

    public void ascii(boolean on) {
        ascii = on;
    }

    public boolean ascii() {
        return ascii;
    }

    /** Sets the socket buffers of data connections, within bounds; 0 leaves them to the system. Returns what is set. */
    public int socketBuffers(long bytes) {
        socketBufferBytes =
                bytes == 0 ? 0 : (int) Math.max(LEAST_SOCKET_BUFFER_BYTES, Math.min(MOST_SOCKET_BUFFER_BYTES, bytes));
        return socketBufferBytes;
    }

    /** The socket buffers of data connections, or 0. */
    int socketBufferBytes() {
        return socketBufferBytes;
    }

    public void extendedBlocks(boolean on) {
        extendedBlocks = on;
    }

    public boolean extendedBlocks() {
        return extendedBlocks;
    }

    /** OPTS PASV AllowDelayed: whether PASV is answered only with the transfer command. */
    public void passiveDelayed(boolean on) {
        passiveDelayed = on;
    }

    public boolean passiveDelayed() {
        return passiveDelayed;
    }

    /** What the transfer command has to tell of a delayed PASV. */
    public void delayAddress(String reply) {
        delayedAddress = reply;
    }

    /** What was delayed, empty if nothing was; it is used up. */
    String takeDelayedAddress() {
        String address = delayedAddress;
        delayedAddress = "";
        return address;
    }

    /** OPTS RETR Parallelism: how many connections a download in MODE E opens. */
    public void parallelism(int connections) {
        parallelism = connections;
    }

    /** That number, 1 if nothing was said. */
    public int parallelism() {
        return parallelism;
    }

    public void restartAt(long positionBytes) {
        restartWithout(FragmentRanges.of(0, positionBytes));
    }

    /** Remembers REST with ranges of positions: what the client believes to have been transferred (GFD.20 section 4.2). */
    public void restartWithout(FragmentRanges ranges) {
        takeSpan();
        restartRanges = ranges.copy();
    }

    /** Remembers RANG: the next download or checksum is of these bytes. */
    public void range(RequestedRange span) {
        restartRanges = FragmentRanges.of(0, span.from());
        rangeEndBytes = span.to();
        ofRang = true;
    }

    /** What REST or RANG said last, everything if neither did; it is used up. */
    public RequestedRange takeSpan() {
        RequestedRange span = new RequestedRange(restartRanges.firstMissing(0), rangeEndBytes);
        restartRanges = new FragmentRanges();
        rangeEndBytes = RequestedRange.TO_THE_END;
        ofRang = false;
        return span;
    }

    public void mlstFacts(Set<String> names) {
        mlstFacts = Set.copyOf(names);
    }

    /** The facts that OPTS MLST selected; empty if it was not given. */
    public Optional<Set<String>> mlstFacts() {
        return Optional.ofNullable(mlstFacts);
    }

    public void hash(ChecksumAlgorithm algorithm) {
        hash = algorithm;
    }

    public ChecksumAlgorithm hash() {
        return hash;
    }

    public void announce(long bytes) {
        announcedBytes = bytes;
    }

    /** A copy of the ranges of the last REST or RANG, which stay. */
    public FragmentRanges restartRanges() {
        return restartRanges.copy();
    }

    /** The ranges of the last REST, empty if there was none or RANG came after it; they are used up. */
    public FragmentRanges takeRestartRanges() {
        FragmentRanges ranges = ofRang ? new FragmentRanges() : restartRanges;
        takeSpan();
        return ranges;
    }

    /** The size of the last ALLO, or {@link EndEvidence#NOT_ANNOUNCED}; it is used up. */
    public long takeAnnounced() {
        long bytes = announcedBytes;
        announcedBytes = EndEvidence.NOT_ANNOUNCED;
        return bytes;
    }

    public void renameFrom(@Nullable ChangedPath subject) {
        renamed = subject;
    }

    /** What RNFR named, or null; it is used up. */
    public @Nullable ChangedPath takeRenamed() {
        ChangedPath subject = renamed;
        renamed = null;
        return subject;
    }

    /** Back to what a new session has (USER, REIN). */
    public void reset() {
        ascii = true;
        socketBufferBytes = 0;
        extendedBlocks = false;
        passiveDelayed = false;
        delayedAddress = "";
        parallelism = 1;
        mlstFacts = null;
        hash = ChecksumAlgorithm.SHA256;
        takeSpan();
        takeAnnounced();
        renamed = null;
    }
}
