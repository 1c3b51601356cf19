package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.download.DownloadStarter;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.ftp.upload.UploadStarter;
import io.hawser.core.ftp.ReplyCode;
import java.util.OptionalLong;
import java.util.UUID;

/** The commands that move files; most of each is in {@link UploadStarter} and {@link DownloadStarter}. */
final class TransferCommands {
    private TransferCommands() {}

    /**
     * {@code STOU}, RFC 959 section 4.1.3: an upload to a name that nothing else has, in the working directory. The name is in the
     * reply to its start, {@code 150 FILE: name} (RFC 1123 section 4.1.2.9). An argument, which some clients send, begins the name.
     */
    static void stou(FtpSession session, String argument) {
        String begin = argument.isBlank() || argument.endsWith("/") ? argument.strip() + "upload" : argument;
        UploadStarter.store(session, begin + "." + UUID.randomUUID());
    }

    /**
     * {@code ESTO <SP> A <SP> <offset> <SP> <pathname>}, GFD.20 section 4.2: STOR of bytes that belong at an offset. It continues with
     * an upload that broke off (from 0 it takes its place); otherwise it changes the file at the far end from there on as far as the
     * bytes reach, or makes one, which may begin with a hole. What is after the bytes stays, as with the Globus server, also from 0 on.
     */
    static void esto(FtpSession session, String argument) {
        String[] words = argument.stripLeading().split(" +", 3);
        if (!words[0].equalsIgnoreCase("A")) {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only ESTO A is offered.");
            return;
        }
        OptionalLong offset = words.length == 3 ? DecimalArgument.parse(words[1]) : OptionalLong.empty();
        if (offset.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "ESTO A needs an offset and a path.");
        } else {
            UploadStarter.storeAt(session, offset.getAsLong(), words[2]);
        }
    }

    /**
     * {@code ERET <SP> P <SP> <offset> <SP> <length> <SP> <pathname>}, GFD.20 section 4.2: RETR of a part. In MODE E its blocks are
     * counted from 0.
     */
    static void eret(FtpSession session, String argument) {
        String[] words = argument.stripLeading().split(" +", 4);
        if (!words[0].equalsIgnoreCase("P")) {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Only ERET P is offered.");
            return;
        }
        OptionalLong offset = words.length == 4 ? DecimalArgument.parse(words[1]) : OptionalLong.empty();
        OptionalLong length = words.length == 4 ? DecimalArgument.parse(words[2]) : OptionalLong.empty();
        if (offset.isEmpty() || length.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "ERET P needs an offset, a length and a path.");
        } else {
            DownloadStarter.retrievePart(session, offset.getAsLong(), length.getAsLong(), words[3]);
        }
    }
}
