package io.hawser.ops.node;

import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.WhyPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pages of a node that shares its process with others which have no admin address: its own, those that only another has, and {@code /why} and {@code
 * /health} with what each says.
 *
 * <p>Thread: any.
 */
final class ProcessPages {
    private static final String WHY = "/why";
    private static final String HEALTH = "/health";

    private ProcessPages() {}

    /** A node's pages with those of the others. */
    static Map<String, AdminPage> with(Map<String, AdminPage> own, List<Map<String, AdminPage>> others) {
        Map<String, AdminPage> all = new LinkedHashMap<>(own);
        others.forEach(pages -> pages.forEach(all::putIfAbsent));
        all.computeIfPresent(WHY, (path, page) -> why(page, of(others, path)));
        all.computeIfPresent(HEALTH, (path, page) -> new HealthOfAll(page, of(others, path)));
        return all;
    }

    private static List<AdminPage> of(List<Map<String, AdminPage>> others, String path) {
        return others.stream()
                .flatMap(pages -> Optional.ofNullable(pages.get(path)).stream())
                .toList();
    }

    private static AdminPage why(AdminPage own, List<AdminPage> others) {
        return AdminPage.json((query, caller) -> {
            List<WhyPage> known = new ArrayList<>();
            IllegalArgumentException unknown = null;
            for (AdminPage page : Stream.concat(Stream.of(own), others.stream()).toList()) {
                try {
                    known.add(why(page, query, caller));
                } catch (IllegalArgumentException e) { // that node does not know the transfer
                    unknown = unknown == null ? e : unknown;
                }
            }
            if (known.isEmpty() && unknown != null) {
                throw unknown;
            }
            return known.get(0).with(known.subList(1, known.size()));
        });
    }

    private static WhyPage why(AdminPage page, Map<String, String> query, Caller caller) throws IOException {
        return read(page.get(query, caller), WhyPage.class);
    }

    private static <T> T read(AdminPage.Answer answer, Class<T> type) throws IOException {
        return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), type);
    }

    /** {@code /health} of the own node, with the warnings of the others under their names; not ok if one of them is not. */
    private record HealthOfAll(AdminPage own, List<AdminPage> others) implements AdminPage {
        @Override
        public Answer get(Map<String, String> query) throws IOException {
            return get(query, Caller.OPERATOR);
        }

        @Override
        public Answer get(Map<String, String> query, Caller caller) throws IOException {
            Health all = read(own.get(query, caller), Health.class);
            for (AdminPage each : others) {
                Health other = read(each.get(query, caller), Health.class);
                all = new Health(all.ok() && other.ok(), all.node(), all.detail(), all.warnings())
                        .with(other.warnings().stream()
                                .map(warning -> new HealthWarning(
                                        warning.code(),
                                        (other.node() + " " + warning.subject()).strip(),
                                        warning.sentence()))
                                .toList());
            }
            return Answer.json(all.ok() ? 200 : 503, all);
        }
    }
}
