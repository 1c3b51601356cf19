package io.hawser.agenta;

import io.hawser.agenta.front.ClientTransfer;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.node.SmallFileExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code xferlog}, a line for each upload and download, as wu-ftpd writes it and log analysers read it (xferlog(5)). The file is
 * opened for each line, so that others may rotate it.
 *
 * <p>Thread: any; {@code hawser-xferlog} writes.
 */
final class XferLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(XferLog.class);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ROOT);

    private final Path file;
    private final SmallFileExecutor writer = new SmallFileExecutor("hawser-xferlog");

    /** @throws ConfigException if the file cannot be written */
    XferLog(Path file) {
        this.file = file;
        try {
            if (Files.notExists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
            } else if (!Files.isRegularFile(file) || !Files.isWritable(file)) {
                throw new IOException("it is not a writable file");
            }
        } catch (IOException e) {
            throw new ConfigException("--xferlog " + file + " cannot be written: " + e.getMessage());
        }
    }

    void ended(ClientTransfer transfer) {
        String line = line(transfer, ZonedDateTime.now(ZoneId.systemDefault()));
        writer.execute(() -> write(line));
    }

    private void write(String line) {
        try {
            Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("file", file).setCause(e).log("A line of the xferlog could not be written");
        }
    }

    /** The line of {@code transfer}, with its end. */
    static String line(ClientTransfer transfer, ZonedDateTime ended) {
        return String.join(
                        " ",
                        TIME.format(ended),
                        Long.toString(transfer.duration().toSeconds()),
                        word(
                                transfer.from().getAddress() == null
                                        ? transfer.from().getHostString()
                                        : transfer.from().getAddress().getHostAddress()),
                        Long.toString(transfer.bytes()),
                        word(transfer.path().toString()),
                        transfer.isText() ? "a" : "b",
                        "_",
                        transfer.upload() ? "i" : "o",
                        transfer.isAnonymous() ? "a" : "r",
                        word(transfer.account()),
                        "ftp",
                        "0",
                        "*",
                        transfer.result().equals(Audit.OK) ? "c" : "i")
                + "\n";
    }

    /** One word without control characters, as wu-ftpd has it. */
    private static String word(String text) {
        String word = text.codePoints()
                .map(each -> each <= ' ' || Character.isISOControl(each) || Character.isWhitespace(each) ? '_' : each)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return word.isEmpty() ? "_" : word;
    }

    /** Writes the queued lines. */
    @Override
    public void close() {
        writer.close();
    }
}
