package io.hawser.agenta.ftp.modee;

import io.hawser.agenta.ftp.data.DataConnectionInitializer;
import io.hawser.agenta.ftp.data.PendingDataConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * A session's data connections that this end opened for sending in MODE E: some for each address that PORT or SPOR named. They are
 * kept for the next transfer and end with a new PORT or PASV, a change of MODE, or the session.
 *
 * <p>Thread: the loop.
 */
public final class ModeEDialledConnections {
    private final DataConnectionInitializer initializer;
    private final IntPredicate mayTakeMore;
    private List<List<ModeESendConnection>> groups = List.of();
    private List<PendingDataConnection> openings = List.of();
    private int missing;
    private int generation;

    /**
     * None yet. Each connection is prepared once, when it is open.
     *
     * @param mayTakeMore whether the client may have that many more
     */
    public ModeEDialledConnections(DataConnectionInitializer initializer, IntPredicate mayTakeMore) {
        this.initializer = initializer;
        this.mayTakeMore = mayTakeMore;
    }

    /** Those that are open or being opened. */
    public int count() {
        return missing
                + (int) groups.stream()
                        .flatMap(List::stream)
                        .filter(ModeESendConnection::isOpen)
                        .count();
    }

    /** Whether connections of an earlier transfer can be used, all of them. */
    public boolean isCached() {
        return !groups.isEmpty() && groups.stream().flatMap(List::stream).allMatch(ModeESendConnection::isOpen);
    }

    /** The connections, by address. */
    public List<List<ModeESendConnection>> groups() {
        return groups;
    }

    /** Closes what is there, and tells why so many new ones must not be opened; empty if they may. */
    public Optional<String> whyNot(int wanted) {
        close();
        return mayTakeMore.test(wanted) ? Optional.empty() : Optional.of(ModeEAcceptedConnections.TOO_MANY);
    }

    /**
     * Opens connections in place of those that were there. One of the two is called, later, unless {@link #close} is called before.
     *
     * @param wanted by address, what is to be opened; not empty, and {@link #whyNot} had nothing against it
     */
    public void connect(
            List<List<PendingDataConnection>> wanted,
            Duration timeout,
            Runnable connected,
            Consumer<Throwable> failed) {
        close();
        int mine = generation;
        Consumer<Throwable> unfit = cause -> {
            if (mine == generation) {
                close();
                failed.accept(cause);
            }
        };
        List<List<ModeESendConnection>> opened = new ArrayList<>();
        List<PendingDataConnection> all = new ArrayList<>();
        wanted.forEach(group -> {
            opened.add(new ArrayList<>());
            all.addAll(group);
        });
        openings = all;
        groups = opened;
        missing = all.size();
        for (int i = 0; i < wanted.size(); i++) {
            List<ModeESendConnection> group = opened.get(i);
            for (PendingDataConnection pending : wanted.get(i)) {
                pending.take(
                        timeout,
                        channel -> initializer.prepare(
                                channel,
                                () -> {
                                    if (mine != generation) {
                                        channel.close();
                                        return;
                                    }
                                    group.add(new ModeESendConnection(channel));
                                    if (--missing == 0) {
                                        connected.run();
                                    }
                                },
                                unfit),
                        unfit);
            }
        }
    }

    public void close() {
        generation++;
        List<PendingDataConnection> begun = openings;
        List<List<ModeESendConnection>> opened = groups;
        openings = List.of();
        groups = List.of();
        missing = 0;
        begun.forEach(PendingDataConnection::close);
        opened.forEach(group -> group.forEach(ModeESendConnection::close));
    }
}
