package io.gpureclaimer.exporter.web;

import io.gpureclaimer.exporter.web.CurrentTls.Ready;
import io.gpureclaimer.exporter.web.Pem.InFile;
import io.gpureclaimer.exporter.web.Pem.Inline;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web configuration file and the files that it names, loaded again when one of them has
 * changed. What cannot be understood is one warning, and what was last understood stands. {@link
 * #refresh} is confined to one thread, the rest is for any.
 */
public final class WebFiles {
  private static final Logger log = LoggerFactory.getLogger(WebFiles.class);

  private final Path file;
  private final AtomicReference<Loaded> inForce;
  private List<String> lastRead;
  private List<String> judged;
  private @Nullable String complaint;

  private WebFiles(Path file, Loaded first) {
    this.file = file;
    this.inForce = new AtomicReference<>(first);
    this.lastRead = first.texts();
    this.judged = first.texts();
  }

  /** What was understood, and the texts that it was made from. */
  private record Loaded(
      WebSettings settings, Optional<Ready> tls, Optional<TokenBucket> bucket, List<String> texts) {
    private Loaded {
      texts = List.copyOf(texts);
    }
  }

  /**
   * Loads them for the first time.
   *
   * @throws IllegalArgumentException in one line, if they cannot be understood
   */
  public static WebFiles open(Path file) {
    try {
      return new WebFiles(file, understood(read(file)));
    } catch (Refusal e) {
      throw new IllegalArgumentException("web configuration " + file + ": " + e.problem(), e);
    }
  }

  /**
   * Loads them again once they have changed and then stayed the same for two looks, for somebody
   * may just be writing them: half a file must not open the door.
   *
   * @return whether what they say is in force
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
        take(read);
      }
      complaint = null;
      return true;
    } catch (Refusal e) {
      if (!e.problem().equals(complaint)) {
        complaint = e.problem();
        log.warn("web configuration {}: {}; what it last said stands", file, e.problem());
      }
      return false;
    }
  }

  /** For new connections; nothing if plain HTTP is spoken. */
  public Optional<SslContext> tls() {
    return loaded().tls().isEmpty()
        ? Optional.empty()
        : Optional.of(new CurrentTls(() -> loaded().tls().orElseThrow()));
  }

  /** Whether HTTP/2 is offered on top of TLS. */
  public boolean offersHttp2() {
    return loaded().tls().isPresent() && loaded().settings().http2();
  }

  /** What every answer gets besides its own headers. */
  public Map<String, String> headers() {
    return loaded().settings().headers();
  }

  /** The bcrypt hashes of passwords by user; empty if nobody is asked for one. */
  public Map<String, String> users() {
    return loaded().settings().users();
  }

  /** Whether one more request is answered now. */
  public boolean admits() {
    return loaded().bucket().map(TokenBucket::take).orElse(true);
  }

  private Loaded loaded() {
    return inForce.get();
  }

  private void take(Read read) throws Refusal {
    var next = understood(read);
    var last = loaded();
    if (next.tls().isPresent() != last.tls().isPresent()) {
      throw new Refusal("tls_server_config can only come or go with a restart");
    }
    if (next.settings().http2() != last.settings().http2()) {
      throw new Refusal("http_server_config.http2 can only change with a restart");
    }
    if (!next.texts().equals(last.texts())) {
      inForce.set(next);
      log.info("web configuration {} is loaded again", file);
    }
  }

  private static Loaded understood(Read read) throws Refusal {
    var bucket = read.settings().rate().map(rate -> new TokenBucket(rate, System::nanoTime));
    var tls = read.settings().tls();
    if (tls.isEmpty()) {
      return new Loaded(read.settings(), Optional.empty(), bucket, read.texts());
    }
    var context = SslContexts.of(tls.get(), read.settings().http2(), read.pems());
    return new Loaded(
        read.settings(), Optional.of(new Ready(context, tls.get())), bucket, read.texts());
  }

  /** What stands in the files. */
  private record Read(WebSettings settings, Map<Pem, String> pems, List<String> texts) {}

  private static Read read(Path file) throws Refusal {
    String text = content("the file", file);
    var folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
    var settings = WebGrammar.parse(text, folder);
    var pems = new HashMap<Pem, String>();
    var texts = new ArrayList<>(List.of(text));
    if (settings.tls().isPresent()) {
      for (Pem pem : named(settings.tls().get())) {
        String content =
            switch (pem) {
              case Inline(_, var inline) -> inline;
              case InFile(var key, var path) -> content(key + " " + path, path);
            };
        pems.put(pem, content);
        texts.add(content);
      }
    }
    return new Read(settings, pems, texts);
  }

  private static List<Pem> named(TlsSettings tls) {
    var pems = new ArrayList<>(List.of(tls.certificate(), tls.key()));
    tls.clientCa().ifPresent(pems::add);
    return pems;
  }

  private static String content(String named, Path path) throws Refusal {
    try (var in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(WebGrammar.LARGEST_BYTES + 1);
      if (bytes.length > WebGrammar.LARGEST_BYTES) {
        throw new Refusal(
            named + " must be at most " + WebGrammar.LARGEST_BYTES / 1024 + " KiB, was more");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException _) {
      throw new Refusal(named + " is not there");
    } catch (IOException e) {
      throw new Refusal(named + " cannot be read: " + e);
    }
  }
}
