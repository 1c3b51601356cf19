package io.hawser.agenta.ftp.download;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.PendingDataConnection;
import io.hawser.agenta.ftp.modee.ModeEDialledConnections;
import io.hawser.agenta.ftp.modee.ModeESendConnection;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends something in MODE E, on whichever connection can take a block: over the connections of the transfer before it, or over
 * new ones to the address of the last PORT or SPOR, as many as OPTS RETR asked for. Each gets its EOD, and one of each
 * address the EOF. The connections are kept.
 *
 * <p>Thread: the loop.
 */
final class ModeESender extends FtpDataSender {
    private final String what;
    private final ModeEDialledConnections outputs;
    private List<List<ModeESendConnection>> groups = List.of();
    private int unfinished;
    private boolean connected;

    ModeESender(FtpSession session, String what, Content content) {
        super(session, content);
        this.what = what;
        this.outputs = session.dataPaths().outgoing();
    }

    @Override
    public void begin() {
        session.transferBegins(this);
        if (outputs.isCached()) {
            session.preliminary(ReplyCode.ALREADY_OPEN, "Reusing the data connections for " + what + ".");
            session.loop().execute(this::opened);
        } else {
            connect(session.dataPort().activeOpenings(session.settings().parallelism()));
        }
    }

    /** What is known to be refused gets no 150 before its reply. */
    private void connect(List<List<PendingDataConnection>> openings) {
        Optional<String> refusal =
                outputs.whyNot(openings.stream().mapToInt(List::size).sum());
        if (refusal.isPresent()) {
            notOpened(refusal.get());
            return;
        }
        session.preliminary(ReplyCode.STARTING, "Opening data connections for " + what + ".");
        outputs.connect(
                openings,
                session.limits().times().dataConnect(),
                this::opened,
                cause -> notOpened(String.valueOf(cause.getMessage())));
    }

    private void notOpened(String why) {
        fail(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "The data connections could not be opened: " + why));
    }

    private void opened() {
        if (isDone()) {
            return;
        }
        connected = true;
        groups = outputs.groups();
        groups.forEach(group -> group.forEach(output -> output.use(this)));
        if (outputs.isCached()) {
            connected();
        } else {
            broken(new IOException("a data connection was closed"));
        }
    }

    @Override
    boolean isConnected() {
        return connected;
    }

    @Override
    boolean isWritable() {
        return groups.stream().flatMap(List::stream).anyMatch(ModeESendConnection::isWritable);
    }

    @Override
    boolean sendSome() {
        boolean sent = false;
        for (List<ModeESendConnection> group : groups) {
            for (ModeESendConnection output : group) {
                sent |= output.isWritable() && sendOne(output::block);
            }
        }
        return sent;
    }

    @Override
    void sendEnd() {
        unfinished = groups.stream().mapToInt(List::size).sum();
        for (List<ModeESendConnection> group : groups) {
            int connections = group.size();
            for (ModeESendConnection output : group) {
                output.end(output == group.get(0) ? connections : 0, this::ended);
            }
        }
    }

    private void ended(@Nullable Throwable cause) {
        if (cause != null) {
            broken(cause);
        } else if (--unfinished == 0 && !isDone()) {
            groups.forEach(group -> group.forEach(output -> output.use(null)));
            succeed();
        }
    }

    @Override
    void closeData() {
        outputs.close();
    }
}
