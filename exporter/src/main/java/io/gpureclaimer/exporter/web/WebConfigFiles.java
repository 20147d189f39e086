package io.gpureclaimer.exporter.web;

import io.gpureclaimer.common.files.ReloadingFile;
import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import io.gpureclaimer.exporter.web.WebSettings.PemFile;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web configuration file and the files that it names, reloaded when one of them changes. A
 * version that is not valid is logged once, and the last valid one stays in force. {@link #refresh}
 * is confined to one thread, the rest is for any.
 */
public final class WebConfigFiles {
  private static final Logger log = LoggerFactory.getLogger(WebConfigFiles.class);

  private final ReloadingFile<WebSettings> config;
  private final Map<PemFile, ReloadingFile<String>> pems = new HashMap<>();
  private final AtomicReference<Loaded> inForce;
  private boolean pending;
  private @Nullable String problem;

  private WebConfigFiles(Path file) {
    this.config =
        new ReloadingFile<>(
            file, WebConfigParser.LARGEST_BYTES, text -> WebConfigParser.parse(file, text));
    readChanges();
    this.inForce = new AtomicReference<>(load());
  }

  /** Valid settings, and the content of the files that they name. */
  private record Loaded(WebSettings settings, Map<PemFile, String> pems, Optional<SslContext> tls) {
    private Loaded {
      pems = Map.copyOf(pems);
    }
  }

  /**
   * Loads them for the first time.
   *
   * @throws IllegalArgumentException with a message of one line, if they are not valid
   */
  public static WebConfigFiles open(Path file) {
    try {
      return new WebConfigFiles(file);
    } catch (InvalidWebConfig e) {
      throw new IllegalArgumentException("web configuration " + file + ": " + e.problem(), e);
    }
  }

  /**
   * Loads them again after a change, at the first call that finds no further change: a program may
   * still be writing one of the files.
   *
   * @return whether their present content is in force
   */
  public boolean refresh() {
    try {
      if (readChanges()) {
        pending = true;
      } else if (pending || problem != null) {
        replaceWith(load());
        pending = false;
        problem = null;
      }
      return problem == null;
    } catch (InvalidWebConfig e) {
      if (!e.problem().equals(problem)) {
        problem = e.problem();
        log.warn(
            "web configuration {}: {}; the last valid version stays in use",
            config.path(),
            problem);
      }
      return false;
    }
  }

  /** For new connections; empty for plain HTTP. */
  public Optional<SslContext> tls() {
    return loaded().tls().isEmpty()
        ? Optional.empty()
        : Optional.of(new ReloadingSslContext(() -> loaded().tls().orElseThrow()));
  }

  /** Headers that are added to every answer. */
  public Map<String, String> headers() {
    return loaded().settings().headers();
  }

  /** The bcrypt hashes of passwords by user; empty if no password is required. */
  public Map<String, String> users() {
    return loaded().settings().users();
  }

  private Loaded loaded() {
    return inForce.get();
  }

  /** Reads the files that have changed, and returns whether there was one. */
  private boolean readChanges() {
    boolean changed = isChanged("", config);
    List<PemFile> named = config.lastGood().map(WebSettings::pemFiles).orElse(List.of());
    pems.keySet().retainAll(named);
    for (PemFile pem : named) {
      changed |=
          isChanged(
              pem.description() + ": ",
              pems.computeIfAbsent(
                  pem,
                  one ->
                      new ReloadingFile<>(
                          one.file(), WebConfigParser.LARGEST_BYTES, text -> text)));
    }
    return changed;
  }

  private static boolean isChanged(String name, ReloadingFile<?> file) {
    boolean changed = file.refresh() instanceof Refresh.Loaded<?>;
    file.problem()
        .ifPresent(
            problem -> {
              throw new InvalidWebConfig(name + problem);
            });
    return changed;
  }

  private Loaded load() {
    WebSettings settings = config.lastGood().orElseThrow();
    var contents = new HashMap<PemFile, String>();
    pems.forEach((pem, file) -> contents.put(pem, file.lastGood().orElseThrow()));
    return new Loaded(settings, contents, settings.tls().map(tls -> SslContexts.of(tls, contents)));
  }

  private void replaceWith(Loaded next) {
    Loaded last = loaded();
    if (next.tls().isPresent() != last.tls().isPresent()) {
      throw new InvalidWebConfig("tls_server_config can only come or go with a restart");
    }
    if (!next.settings().equals(last.settings()) || !next.pems().equals(last.pems())) {
      inForce.set(next);
      log.info("web configuration {} reloaded", config.path());
    }
  }

  /** Gives each new connection the current certificates. For any thread. */
  static final class ReloadingSslContext extends SslContext {
    private final Supplier<SslContext> current;

    ReloadingSslContext(Supplier<SslContext> current) {
      this.current = current;
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator memory) {
      return current.get().newEngine(memory);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator memory, String peerHost, int peerPort) {
      return current.get().newEngine(memory, peerHost, peerPort);
    }

    @Override
    public boolean isClient() {
      return false;
    }

    @Override
    public List<String> cipherSuites() {
      return current.get().cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // abstract in Netty
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
      return current.get().applicationProtocolNegotiator();
    }

    @Override
    public SSLSessionContext sessionContext() {
      return current.get().sessionContext();
    }
  }
}
