package io.hawser.agenta.ftp.command;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyState;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.TransferState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code SITE RECEIPT <SP> transfer-id}: how far one of the account's own transfers got, in lines of {@code Key: value}. In no RFC.
 */
final class SiteReceiptCommand implements FtpCommand {
    /** A transfer of this account, or empty; then the refusal has been sent. */
    static Optional<TransferState> find(FtpSession session, String id) {
        Optional<TransferState> state = key(session, id)
                .flatMap(session.server().spool()::state)
                .filter(found ->
                        session.account().equals(found.manifest().attributes().get(Attributes.ACCOUNT)));
        if (state.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.FILE_UNAVAILABLE, "No such transfer is known here."));
        }
        return state;
    }

    private static Optional<TransferKey> key(FtpSession session, String id) {
        try {
            return Optional.of(new TransferKey(session.server().spool().nodeId(), TransferId.parse(id)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<String> lines(TransferState state, CustodyState custody) {
        List<String> lines = new ArrayList<>();
        lines.add("Transfer " + state.key().id());
        lines.add("Name: " + state.manifest().name());
        lines.add("Phase: " + state.phase().name().toLowerCase(Locale.ROOT));
        lines.add("Custody: " + custody.reached().map(CustodyLevel::toString).orElse("none"));
        custody.failure().ifPresent(reason -> lines.add((state.lacksRight() ? "Waits: " : "Failed: ") + reason));
        custody.dead().ifPresent(reason -> lines.add("Waits: " + reason));
        if (state.sizeBytes() >= 0) {
            lines.add("Size: " + state.sizeBytes());
        }
        for (Receipt receipt : state.receipts()) {
            lines.add("Receipt: " + receipt.subscription() + " "
                    + receipt.status().name().toLowerCase(Locale.ROOT) + " "
                    + Instant.ofEpochMilli(receipt.epochMillis()));
        }
        lines.add("End");
        return lines;
    }

    @Override
    public List<String> verbs() {
        return List.of("RECEIPT");
    }

    @Override
    public String syntax() {
        return "transfer-id";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "SITE RECEIPT needs a transfer."));
            return;
        }
        find(session, argument.strip())
                .ifPresent(state ->
                        session.reply(new FtpReply(ReplyCode.FILE_STATUS, lines(state, session.custody(state)))));
    }
}
