package io.hawser.release.drill;

import io.hawser.release.process.FtpAccount;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * Looks for canaries at the far end through agent-a's FTP: SITE RECEIPT says when one is delivered, and from then on RETR brings the
 * far end's bytes (before, it would bring agent-a's own copy).
 *
 * <p>Thread: one.
 */
final class FarEndThroughAgentA implements FarEnd {
    private static final long PAUSE_MILLIS = 200;

    private final FtpAccount account;
    private final AbsenceTimer absences = new AbsenceTimer();
    private @Nullable FTPClient connection;

    FarEndThroughAgentA(FtpAccount account) {
        this.account = account;
    }

    @Override
    public Finding look(CanaryLedger.PendingCanary pending) throws IOException {
        FTPClient client = connect();
        try {
            if (!pending.reported()) {
                Finding receipt = receipt(client, pending.transfer());
                if (receipt.outcome() != Outcome.WHOLE) {
                    return receipt;
                }
            }
            return retrieve(client, pending);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** WHOLE stands for delivered: agent-a says so, or it has finished with it and forgotten it. */
    private static Finding receipt(FTPClient client, String transfer) throws IOException {
        if (transfer.isEmpty()) {
            return Finding.WAITING;
        }
        client.sendCommand("SITE", "RECEIPT " + transfer);
        for (String line : client.getReplyStrings()) {
            if (line.strip().startsWith("Failed: ")) {
                return Finding.lost("was not delivered: " + line.strip().substring("Failed: ".length()));
            }
            if (line.strip().equals("Custody: delivered")) {
                return Finding.WHOLE;
            }
        }
        return client.getReplyCode() == FTPReply.FILE_UNAVAILABLE ? Finding.WHOLE : Finding.WAITING;
    }

    private Finding retrieve(FTPClient client, CanaryLedger.PendingCanary pending) throws IOException {
        InputStream found = client.retrieveFileStream(account.path(pending.name()));
        if (found == null) {
            boolean missing = client.getReplyCode() == FTPReply.FILE_UNAVAILABLE;
            return missing && absences.missed(pending.name(), System.nanoTime())
                    ? Finding.lost("was reported as delivered, but the far end says: "
                            + client.getReplyString().strip())
                    : Finding.WAITING;
        }
        absences.found(pending.name());
        String complaint;
        try (found) {
            complaint = pending.canary().complaint(found);
        }
        return client.completePendingCommand() ? Finding.compared(complaint) : Finding.WAITING;
    }

    @Override
    public Set<String> names(String prefix) throws IOException {
        FTPClient client = connect();
        try {
            String[] names = client.listNames(account.directory());
            if (names == null) {
                throw new IOException(
                        "agent-a answered " + client.getReplyString().strip());
            }
            return Arrays.stream(names)
                    .map(name -> name.substring(name.lastIndexOf('/') + 1))
                    .filter(name -> name.startsWith(prefix))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private FTPClient connect() throws IOException {
        if (connection == null) {
            connection = account.open();
        }
        return connection;
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void close() {
        FtpAccount.close(connection);
        connection = null;
    }
}
