package io.hawser.ops.dashboard;

import io.hawser.core.integrity.Sha256;
import io.hawser.ops.http.Request;
import io.hawser.ops.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The files of the page at {@code /}: read from the jar once, the same for every caller, without any data of the node.
 *
 * <p>Thread: any.
 */
public final class DashboardFiles {
    /** The path of the page. */
    public static final String PAGE = "/";

    /** What is beside the page, below {@value #BELOW}. */
    static final List<String> NAMES = List.of(
            "page.css",
            "parts.css",
            "icon.svg",
            "app.js",
            "actions.js",
            "api.js",
            "bulk.js",
            "chart.js",
            "detail.js",
            "dialog.js",
            "dom.js",
            "facts.js",
            "format.js",
            "history.js",
            "list.js",
            "live.js",
            "model.js",
            "node.js",
            "overview.js",
            "row.js",
            "selection.js",
            "subscriptions.js",
            "token.js",
            "transfers.js");

    private static final String BELOW = "/ui/";
    private static final String CHART = "/META-INF/resources/webjars/uplot/";
    private static final Map<String, String> CHART_FILES =
            Map.of("uplot.js", "dist/uPlot.iife.min.js", "uplot.css", "dist/uPlot.min.css");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, Asset> assets = new HashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // private, never compared and never changed
    private record Asset(String type, byte[] bytes, String tag) {
        static Asset of(String name, byte[] bytes) {
            String ending = name.substring(name.lastIndexOf('.') + 1);
            String tag = "\"" + HexFormat.of().formatHex(Sha256.of(bytes), 0, 8) + "\"";
            return new Asset(TYPES.getOrDefault(ending, "application/octet-stream"), bytes, tag);
        }
    }

    private DashboardFiles() {
        assets.put(PAGE, Asset.of("page.html", read("page.html")));
        NAMES.forEach(name -> assets.put(BELOW + name, Asset.of(name, read(name))));
        String chart = CHART + chartVersion() + "/";
        CHART_FILES.forEach((name, file) -> assets.put(BELOW + name, Asset.of(name, read(chart + file))));
    }

    /** Reads them; fails if the jar lacks one. */
    public static DashboardFiles load() {
        return new DashboardFiles();
    }

    /** The version of the chart library on the class path, which is a part of its files' paths. */
    private static String chartVersion() {
        Properties properties = new Properties();
        try (InputStream in = open("/META-INF/maven/org.webjars.npm/uplot/pom.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the version of the chart library", e);
        }
        return properties.getProperty("version");
    }

    private static byte[] read(String resource) {
        try (InputStream in = open(resource)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the page's file " + resource, e);
        }
    }

    private static InputStream open(String resource) {
        InputStream in = DashboardFiles.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IllegalStateException("the class path lacks the page's file " + resource);
        }
        return in;
    }

    /** The file that a GET or HEAD asks for; empty if there is none, or if the caller of {@value #PAGE} wants text. */
    public Optional<Response> answer(Request request) {
        Asset asset = assets.get(request.path());
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (asset == null || !reads || (request.path().equals(PAGE) && !wantsPage(request))) {
            return Optional.empty();
        }
        boolean known = request.headers("If-None-Match").contains(asset.tag());
        Response response = known
                ? Response.of(304, asset.type(), new byte[0])
                : Response.of(200, asset.type(), asset.bytes().clone());
        // The same path has text for callers without a browser, so no cache may keep the page.
        String caching = request.path().equals(PAGE) ? "no-store" : "no-cache";
        return Optional.of(response.with("ETag", asset.tag()).with("Cache-Control", caching));
    }

    private static boolean wantsPage(Request request) {
        return String.join(",", request.headers("Accept")).contains("text/html");
    }
}
