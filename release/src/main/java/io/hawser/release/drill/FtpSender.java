package io.hawser.release.drill;

import io.hawser.ops.cli.Errors;
import io.hawser.release.process.FtpAccount;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPReply;

/**
 * A script that uploads one file after the other, with a connection for each. What it had no reply for is not sent again under that name: it
 * may have been accepted.
 *
 * <p>Thread: its own.
 */
final class FtpSender extends Sender {
    private static final Pattern TRANSFER = Pattern.compile("Transfer ([0-9a-zA-Z-]+)");

    private final FtpAccount account;
    private final boolean faultsAreDone;
    private volatile String lastProblem = "";

    /** @param faultsAreDone whether an upload may break off without that being a finding */
    FtpSender(FtpAccount account, boolean faultsAreDone, Terms terms) {
        super("ftp", terms);
        this.account = account;
        this.faultsAreDone = faultsAreDone;
    }

    @Override
    String lastProblem() {
        return lastProblem;
    }

    @Override
    boolean once() throws InterruptedException {
        CanaryLedger ledger = terms.ledger();
        Canary canary = terms.names().next(CanaryRoute.FTP);
        ledger.begun(canary, System.nanoTime());
        FTPClient client;
        try {
            client = account.open();
        } catch (IOException e) {
            lastProblem = Errors.sentence(e);
            ledger.notBegun(canary.name());
            return false;
        }
        try {
            upload(client, canary);
            return true;
        } catch (IOException e) {
            lastProblem = Errors.sentence(e);
            ledger.unanswered(canary.name());
            if (!faultsAreDone) {
                terms.violations().add(canary.name() + ": the upload broke off: " + lastProblem);
            }
            return false;
        } finally {
            FtpAccount.close(client);
        }
    }

    private void upload(FTPClient client, Canary canary) throws IOException {
        OutputStream out = client.storeFileStream(account.path(canary.name()));
        if (out != null) {
            try (out;
                    InputStream content = canary.content()) {
                content.transferTo(out);
            }
            client.completePendingCommand();
        }
        String reply = client.getReplyString().strip();
        if (FTPReply.isPositiveCompletion(client.getReplyCode())) {
            Matcher transfer = TRANSFER.matcher(reply);
            terms.ledger().accepted(canary.name(), transfer.find() ? transfer.group(1) : "");
            lastProblem = "";
        } else if (FTPReply.isNegativePermanent(client.getReplyCode())) {
            terms.ledger().refused(canary.name(), reply);
        } else {
            throw new IOException("agent-a answered " + reply);
        }
    }

    @Override
    public String toString() {
        return "the FTP sender";
    }
}
