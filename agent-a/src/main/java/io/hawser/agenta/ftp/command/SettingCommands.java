package io.hawser.agenta.ftp.command;

import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.modee.RangeText;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.FragmentRanges;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The commands that set something for the transfers that follow. */
final class SettingCommands {
    private SettingCommands() {}

    /**
     * {@code TYPE <SP> <type-code>}, RFC 959 section 3.1.1. A and A N (lines end with CR LF on the wire and with LF in the file), I and
     * L 8 (bytes as they are). Not offered: E, and the format controls T and C.
     */
    static void type(FtpSession session, String argument) {
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "I", "L 8", "L8" -> {
                session.settings().ascii(false);
                session.reply(ReplyCode.OK, "Type is Image.");
            }
            case "A", "A N" -> {
                session.settings().ascii(true);
                session.reply(ReplyCode.OK, "Type is ASCII.");
            }
            default -> session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only TYPE A and TYPE I are offered.");
        }
    }

    /** {@code MODE <SP> <mode-code>}, RFC 959 section 3.4: stream mode, and the extended block mode of GFD.20 section 3.2. */
    static void mode(FtpSession session, String argument) {
        switch (argument.strip().toUpperCase(Locale.ROOT)) {
            case "S" -> changeMode(session, false, "Mode is Stream.");
            case "E" -> changeMode(session, true, "Mode is Extended Block.");
            default -> session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only MODE S and MODE E are offered.");
        }
    }

    /** Data connections do not outlive a change. */
    private static void changeMode(FtpSession session, boolean extendedBlocks, String text) {
        if (session.settings().extendedBlocks() != extendedBlocks) {
            session.dataPaths().close();
            session.settings().extendedBlocks(extendedBlocks);
        }
        session.reply(ReplyCode.OK, text);
    }

    /** {@code STRU <SP> <structure-code>}, RFC 959 section 3.1.2. File structure only. */
    static void stru(FtpSession session, String argument) {
        if (argument.strip().equalsIgnoreCase("F")) {
            session.reply(ReplyCode.OK, "Structure is File.");
        } else if (argument.isBlank()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "STRU needs a structure: F.");
        } else {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only STRU F is offered.");
        }
    }

    /**
     * {@code REST <SP> <marker>}, RFC 3659 section 5: a byte position for the transfer that follows. In MODE E also the ranges that
     * were transferred (GFD.20 section 4.2), such as {@code 0-1048576,2097152-3145728} with exclusive ends.
     */
    static void rest(FtpSession session, String argument) {
        OptionalLong position = DecimalArgument.parse(argument);
        Optional<FragmentRanges> ranges = RangeText.parse(argument);
        if (position.isPresent()) {
            session.settings().restartAt(position.getAsLong());
            session.reply(ReplyCode.PENDING, "Restarting at " + position.getAsLong() + ".");
        } else if (ranges.isPresent() && session.settings().extendedBlocks()) {
            session.settings().restartWithout(ranges.get());
            session.reply(ReplyCode.PENDING, "Restarting without what was transferred.");
        } else {
            session.reply(ReplyCode.ARGUMENT_ERROR, "REST needs a byte position, in MODE E also ranges a-b,c-d.");
        }
    }

    /**
     * {@code RANG <SP> <start> <SP> <end>}, draft-bryan-ftp-range: the bytes, both ends included, that the next RETR or HASH is about.
     * {@code RANG 1 0} takes it back.
     */
    static void rang(FtpSession session, String argument) {
        String[] words = argument.strip().split(" +");
        OptionalLong first = words.length == 2 ? DecimalArgument.parse(words[0]) : OptionalLong.empty();
        OptionalLong last = words.length == 2 ? DecimalArgument.parse(words[1]) : OptionalLong.empty();
        if (first.isEmpty() || last.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "RANG needs the first and the last byte.");
        } else if (first.getAsLong() == 1 && last.getAsLong() == 0) {
            session.settings().range(RequestedRange.ALL);
            session.reply(ReplyCode.PENDING, "No range.");
        } else if (last.getAsLong() < first.getAsLong()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "The last byte is before the first.");
        } else {
            session.settings().range(new RequestedRange(first.getAsLong(), last.getAsLong() + 1));
            session.reply(
                    ReplyCode.PENDING,
                    "Restarting at " + first.getAsLong() + ". End byte range at " + last.getAsLong() + ".");
        }
    }

    /**
     * {@code ALLO <SP> <decimal-integer> [<SP> R <SP> <decimal-integer>]}, RFC 959 section 4.1.3. Space for that
     * is kept for the next upload. If there is none, ALLO says so, and the upload that comes all the same is refused at once. An
     * upload of exactly that size needs no further evidence that it is complete.
     */
    static void allo(FtpSession session, String argument) {
        OptionalLong bytes = DecimalArgument.parse(argument.strip().split(" ", 2)[0]);
        if (bytes.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "ALLO needs a number of bytes.");
        } else {
            session.settings().announce(bytes.getAsLong());
            session.reply(session.names()
                    .spool()
                    .refusalFor(bytes.getAsLong())
                    .map(refusal -> FailureReplies.of("ALLO", refusal))
                    .orElseGet(() -> FtpReply.of(ReplyCode.OK, "OK.")));
        }
    }

    /**
     * {@code SBUF <SP> <size>}, GFD.20 section 3, and {@code SITE STORBUFSIZE} and its other spellings: the socket buffers of the data
     * connections that follow. The latter is in no RFC; globus-url-copy -tcp-bs tries the spellings in turn and fails when all are refused.
     */
    static void sbuf(FtpSession session, String argument) {
        OptionalLong bytes = DecimalArgument.parse(argument.strip());
        if (bytes.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "A number of bytes is missing.");
        } else {
            int set = session.settings().socketBuffers(bytes.getAsLong());
            session.reply(
                    ReplyCode.OK,
                    set == 0
                            ? "The system chooses the buffers."
                            : "Data connections get buffers of " + set + " bytes.");
        }
    }

    /**
     * {@code OPTS <SP> command [<SP> options]}, RFC 2389 section 4. UTF8 is always on (RFC 2640); MLST selects facts (RFC 3659
     * section 7.9), HASH the algorithm.
     */
    static void opts(FtpSession session, String argument) {
        String[] words = argument.strip().split(" +", 2);
        String rest = words.length < 2 ? "" : words[1];
        switch (words[0].toUpperCase(Locale.ROOT)) {
            case "UTF8", "UTF-8" ->
                session.reply(
                        rest.equalsIgnoreCase("OFF")
                                ? FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Names are always UTF-8.")
                                : FtpReply.of(ReplyCode.OK, "Names are always UTF-8."));
            case "RETR" -> TransferOptions.retr(session, rest);
            case "PASV" -> TransferOptions.pasv(session, rest);
            case "STOR" -> TransferOptions.stor(session);
            case "MLST" -> {
                session.settings().mlstFacts(MlstFacts.select(rest));
                session.reply(ReplyCode.OK, "MLST OPTS " + MlstFacts.of(session).names());
            }
            case "HASH" -> ChecksumCommands.hashOptions(session, rest);
            default -> session.reply(ReplyCode.ARGUMENT_ERROR, "No options for that.");
        }
    }

    /** {@code CLNT <SP> name}: a client says what it is. In no RFC; ncftp sends it. See {@link CwdCommand}. */
    static void clnt(FtpSession session, String argument) {
        session.clientName(argument);
        session.reply(ReplyCode.OK, "Noted.");
    }

    /** {@code LANG [<SP> lang-tag]}, RFC 2640 section 4: replies are in English. */
    static void lang(FtpSession session, String argument) {
        String tag = argument.strip().toLowerCase(Locale.ROOT);
        boolean english = tag.isEmpty() || tag.equals("en") || tag.startsWith("en-");
        session.reply(
                english
                        ? FtpReply.of(ReplyCode.OK, "Replies are in English.")
                        : FtpReply.of(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only LANG EN is offered."));
    }
}
