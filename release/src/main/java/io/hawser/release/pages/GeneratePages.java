package io.hawser.release.pages;

import io.hawser.ops.cli.CommandTree;
import io.hawser.ops.cli.Subcommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Writes generated pages into a directory. The build of a release and {@code release/pages} run it. */
public final class GeneratePages {
    private GeneratePages() {}

    /** @param args {@code reference} or {@code installed}, and the directory */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: GeneratePages reference|installed DIR");
        }
        List<Subcommand> commands = commands();
        Map<String, String> pages =
                switch (args[0]) {
                    case "reference" -> ReferencePages.of(commands);
                    case "installed" -> installed(commands);
                    default -> throw new IllegalArgumentException("there are no pages '" + args[0] + "'");
                };
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Path file = Path.of(args[1]).resolve(page.getKey());
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, page.getValue());
        }
    }

    /** The commands of the product. */
    static List<Subcommand> commands() {
        return ServiceLoader.load(Subcommand.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Man pages and completion, by their path below {@code share}. */
    static Map<String, String> installed(List<Subcommand> commands) {
        Map<String, String> pages = new TreeMap<>();
        ManPages.of(commands).forEach((name, text) -> pages.put("man/man1/" + name, text));
        pages.put("bash-completion/completions/hawser", ShellCompletion.bash(CommandTree.of(commands)));
        pages.put("zsh/vendor-completions/_hawser", ShellCompletion.zsh());
        return pages;
    }
}
