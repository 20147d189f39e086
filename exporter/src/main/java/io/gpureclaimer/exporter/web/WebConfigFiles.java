package io.gpureclaimer.exporter.web;

import io.gpureclaimer.exporter.web.WebSettings.PemFile;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private final Path file;
  private final AtomicReference<Loaded> inForce;
  private List<String> lastRead;
  private List<String> judged;
  private @Nullable String complaint;

  private WebConfigFiles(Path file, Loaded first) {
    this.file = file;
    this.inForce = new AtomicReference<>(first);
    this.lastRead = first.texts();
    this.judged = first.texts();
  }

  /** Valid settings, and the texts that they were made from. */
  private record Loaded(WebSettings settings, Optional<SslContext> tls, List<String> texts) {
    private Loaded {
      texts = List.copyOf(texts);
    }
  }

  /**
   * Loads them for the first time.
   *
   * @throws IllegalArgumentException with a message of one line, if they are not valid
   */
  public static WebConfigFiles open(Path file) {
    try {
      return new WebConfigFiles(file, load(read(file)));
    } catch (InvalidWebConfig e) {
      throw new IllegalArgumentException("web configuration " + file + ": " + e.problem(), e);
    }
  }

  /**
   * Loads them again once they have changed and then stayed the same for two readings, because half
   * a file must not come into force.
   *
   * @return whether their present content is in force
   */
  public boolean refresh() {
    try {
      var read = read(file);
      boolean settled = read.texts().equals(lastRead);
      lastRead = read.texts();
      if (!settled) {
        return complaint == null;
      }
      if (!read.texts().equals(judged) || complaint != null) {
        judged = read.texts();
        replaceWith(read);
      }
      complaint = null;
      return true;
    } catch (InvalidWebConfig e) {
      if (!e.problem().equals(complaint)) {
        complaint = e.problem();
        log.warn(
            "web configuration {}: {}; the last valid version stays in force", file, e.problem());
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

  private void replaceWith(WebConfigContent read) {
    var next = load(read);
    var last = loaded();
    if (next.tls().isPresent() != last.tls().isPresent()) {
      throw new InvalidWebConfig("tls_server_config can only come or go with a restart");
    }
    if (!next.texts().equals(last.texts())) {
      inForce.set(next);
      log.info("web configuration {} is reloaded", file);
    }
  }

  private static Loaded load(WebConfigContent read) {
    var tls = read.settings().tls();
    Optional<SslContext> context =
        tls.isEmpty() ? Optional.empty() : Optional.of(SslContexts.of(tls.get(), read.pems()));
    return new Loaded(read.settings(), context, read.texts());
  }

  /** Content of the files. */
  private record WebConfigContent(
      WebSettings settings, Map<PemFile, String> pems, List<String> texts) {}

  private static WebConfigContent read(Path file) {
    String text = content("the file", file);
    var settings = WebConfigParser.parse(file, text);
    var pems = new HashMap<PemFile, String>();
    var texts = new ArrayList<>(List.of(text));
    if (settings.tls().isPresent()) {
      var tls = settings.tls().get();
      var named = new ArrayList<>(List.of(tls.certificate(), tls.key()));
      tls.clientCa().ifPresent(named::add);
      for (PemFile pem : named) {
        String content = content(pem.description(), pem.file());
        pems.put(pem, content);
        texts.add(content);
      }
    }
    return new WebConfigContent(settings, pems, texts);
  }

  private static String content(String named, Path path) {
    try (var in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(WebConfigParser.LARGEST_BYTES + 1);
      if (bytes.length > WebConfigParser.LARGEST_BYTES) {
        throw new InvalidWebConfig(
            named + " must be at most " + WebConfigParser.LARGEST_BYTES / 1024 + " KiB, was more");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException _) {
      throw new InvalidWebConfig(named + " is not there");
    } catch (IOException e) {
      throw new InvalidWebConfig(named + " cannot be read: " + e);
    }
  }

  /** Gives each new connection the certificates that are in force. For any thread. */
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
