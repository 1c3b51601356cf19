package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Account;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command of the older protocol of scp ({@code scp -O}), by which a client starts the other end.
 *
 * @param sink whether the client sends
 * @param recursive whether directories are meant too
 * @param times whether times are kept
 * @param intoDirectory whether the path must be a directory
 * @param path the path
 */
public record ScpCommand(boolean sink, boolean recursive, boolean times, boolean intoDirectory, String path) {
    /** Parses a command line, with the quotes of a shell; empty if it is something else. */
    public static Optional<ScpCommand> parse(String line) {
        List<String> words = words(line);
        if (words.isEmpty() || !words.get(0).equals("scp")) {
            return Optional.empty();
        }
        StringBuilder letters = new StringBuilder();
        int at = 1;
        while (at < words.size() && words.get(at).startsWith("-")) {
            String word = words.get(at++);
            if (word.equals("--")) {
                break;
            }
            letters.append(word, 1, word.length());
        }
        String options = letters.toString();
        boolean sink = options.contains("t");
        boolean known = options.chars().allMatch(letter -> "tfrpdvq".indexOf(letter) >= 0);
        if (!known || sink == options.contains("f") || at != words.size() - 1) {
            return Optional.empty();
        }
        return Optional.of(new ScpCommand(
                sink, options.contains("r"), options.contains("p"), options.contains("d"), words.get(at)));
    }

    /** The other end of a client that was started with it. */
    public ByteSession session(SessionServices services, Account account, InetSocketAddress peer, Outlet outlet) {
        ClientContext client = new ClientContext(services, account, peer);
        return sink ? new ScpSink(client, outlet, this) : new ScpSource(client, outlet, this);
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (letter == '\\' && quote != '\'' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
                inWord = true;
            } else if (quote != 0 ? letter == quote : letter == '\'' || letter == '"') {
                quote = quote == 0 ? letter : 0;
                inWord = true;
            } else if (letter == ' ' && quote == 0) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(letter);
                inWord = true;
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
