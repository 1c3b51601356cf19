package io.hawser.it.page;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Debian's Chromium without a window.
 *
 * <p>Thread: one.
 */
final class Browser implements AutoCloseable {
    /** A desktop's window. */
    static final Dimension WIDE = new Dimension(1360, 900);

    /** A phone's. */
    static final Dimension PHONE = new Dimension(390, 844);

    /** The elements that may have a role. */
    private static final Map<String, String> OF_ROLE = Map.of(
            "button", "button",
            "checkbox", "input[type=checkbox]",
            "dialog", "dialog",
            "heading", "h1, h2, h3",
            "link", "a",
            "list", "ul, ol",
            "region", "section, [role=region]",
            "spinbutton", "input[type=number]",
            "status", "[role=status]",
            "textbox", "input");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts it; skips the test where it is not installed. */
    static Browser start(Path profile) {
        return start(profile, Map.of(), Map.of());
    }

    /**
     * The same, which shows the certificate in {@code home} to a server that requests one.
     *
     * @param home its home directory, with the certificate in {@code .pki/nssdb}
     * @param origin the server, such as {@code https://127.0.0.1:8443}
     */
    static Browser withCertificate(Path profile, Path home, String origin) {
        Map<String, Object> choice = Map.of(origin + ",*", Map.of("setting", Map.of("filters", List.of(Map.of()))));
        return start(
                profile,
                Map.of("HOME", home.toString()),
                Map.of("profile.content_settings.exceptions.auto_select_certificate", choice));
    }

    private static Browser start(Path profile, Map<String, String> environment, Map<String, Object> preferences) {
        if (!Program.isThere("chromium")) {
            Program.missing("chromium", "chromium");
        }
        if (!Program.isThere("chromedriver")) {
            Program.missing("chromedriver", "chromium-driver");
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // it refuses root otherwise; it opens only pages of this test
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--no-proxy-server",
                "--hide-scrollbars",
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        options.setExperimentalOption("prefs", preferences);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .withEnvironment(environment)
                .usingDriverExecutable(new File("/usr/bin/chromedriver"))
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.resize(WIDE);
        return browser;
    }

    /** Opens another tab instead of those that are open; what they kept and said is gone. */
    void anew() {
        Set<String> before = driver.getWindowHandles();
        driver.switchTo().newWindow(WindowType.TAB);
        String fresh = driver.getWindowHandle();
        for (String old : before) {
            driver.switchTo().window(old).close();
        }
        driver.switchTo().window(fresh);
        List<String> unused = problems();
        resize(WIDE);
    }

    void resize(Dimension size) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        size.getWidth(),
                        "height",
                        size.getHeight(),
                        "deviceScaleFactor",
                        size.equals(PHONE) ? 2 : 1,
                        "mobile",
                        size.equals(PHONE)));
    }

    /** Prefers {@code light} or {@code dark}. */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void open(String address) {
        driver.get(address);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    Object runAsync(String script, Object... arguments) {
        driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(TestTimes.SECONDS));
        return driver.executeAsyncScript(script, arguments);
    }

    /**
     * Waits for a shown element with that role and accessible name, as a screen reader knows it.
     *
     * @param name the whole name; empty for any
     */
    WebElement role(String role, String name) {
        String css = Objects.requireNonNull(OF_ROLE.get(role), role);
        return waiting(role + " '" + name + "'").until(now -> all(css).stream()
                .filter(each -> isShown(each) && hasRole(each, role, name))
                .findFirst()
                .orElse(null));
    }

    private static boolean hasRole(WebElement element, String role, String name) {
        try {
            return element.getAriaRole().equals(role)
                    && (name.isEmpty() || element.getAccessibleName().equals(name));
        } catch (StaleElementReferenceException e) {
            return false; // it was replaced meanwhile
        }
    }

    /** Waits until the element with that role and name says {@code part}. */
    void awaitRole(String role, String name, String part) {
        waiting(role + " '" + name + "' with " + part)
                .until(now -> all(Objects.requireNonNull(OF_ROLE.get(role), role)).stream()
                        .anyMatch(each -> isShown(each)
                                && hasRole(each, role, name)
                                && textOf(each).contains(part)));
    }

    private static String textOf(WebElement element) {
        try {
            return element.getText();
        } catch (StaleElementReferenceException e) {
            return "";
        }
    }

    /** The text of the first element that is shown, or an empty one. */
    String text(String css) {
        try {
            return driver.findElements(By.cssSelector(css)).stream()
                    .filter(Browser::isShown)
                    .findFirst()
                    .map(WebElement::getText)
                    .orElse("");
        } catch (StaleElementReferenceException e) {
            return ""; // it was replaced meanwhile
        }
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Waits for an element that is shown. */
    WebElement await(String css) {
        return waiting(css)
                .until(now ->
                        all(css).stream().filter(Browser::isShown).findFirst().orElse(null));
    }

    void awaitText(String css, String part) {
        waiting(css + " with " + part).until(now -> text(css).contains(part));
    }

    void awaitGone(String css) {
        waiting("no " + css).until(now -> all(css).stream().noneMatch(Browser::isShown));
    }

    private static boolean isShown(WebElement element) {
        try {
            return element.isDisplayed();
        } catch (StaleElementReferenceException e) {
            return false;
        }
    }

    private WebDriverWait waiting(String what) {
        WebDriverWait wait = new WebDriverWait(driver, Duration.ofSeconds(TestTimes.SECONDS), Duration.ofMillis(50));
        wait.withMessage(() -> what + " is not there; the page says: " + text("body") + "; its log: " + problems());
        return wait;
    }

    /** What the browser complained about: errors of scripts, of the security policy, of requests. */
    List<String> problems() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** A picture of what is in the window. */
    void picture(Path file) throws IOException {
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
