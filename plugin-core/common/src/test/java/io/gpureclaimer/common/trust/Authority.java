package io.gpureclaimer.common.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate authority of the JDK's keytool, and a server on this machine that it vouches for.
 *
 * @param pem its certificate
 * @param keys the server's
 */
public record Authority(String pem, Path keys) {
  private static final String PASSWORD = "password";

  /** The key stores by name: making one takes a second. */
  private static final Map<String, byte[]> STORES = new ConcurrentHashMap<>();

  /** Makes one, the same for a name as long as the JVM runs; the folder keeps its keys. */
  public static Authority make(Path folder, String name) throws IOException, InterruptedException {
    Path store = folder.resolve(name + ".p12");
    byte[] made = STORES.get(name);
    if (made == null) {
      makeKeys(store, name);
      STORES.put(name, Files.readAllBytes(store));
    } else {
      Files.write(store, made);
    }
    Path pem = folder.resolve(name + ".pem");
    keytool(store, "-exportcert", "-rfc", "-alias", "ca", "-file", pem.toString());
    return new Authority(Files.readString(pem), store);
  }

  private static void makeKeys(Path store, String name) throws IOException, InterruptedException {
    keytool(store, "-genkeypair", "-alias", "ca", "-dname", "CN=" + name, "-ext", "bc=ca:true");
    keytool(
        store,
        "-genkeypair",
        "-alias",
        "server",
        "-signer",
        "ca",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost,ip:127.0.0.1");
  }

  /** The server's side of a TLS connection, as after a start: it knows no sessions. */
  public SSLContext server() {
    try {
      return context(keys);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the keys that were just made cannot be used", e);
    }
  }

  private static SSLContext context(Path file) throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    store.deleteEntry("ca");
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(Path store, String command, String... arguments)
      throws IOException, InterruptedException {
    var line = new ArrayList<String>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    line.add(command);
    line.addAll(List.of(arguments));
    if (command.equals("-genkeypair")) {
      line.addAll(List.of("-keyalg", "EC", "-validity", "2"));
    }
    line.addAll(
        List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
    var process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
