package io.gpureclaimer.exporter.web;

import io.netty.handler.ssl.ClientAuth;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which certificates clients must have; the names are those of Go's {@code crypto/tls}. */
enum ClientAuthentication {
  NONE("NoClientCert", ClientAuth.NONE, false),
  REQUEST("RequestClientCert", ClientAuth.OPTIONAL, false),
  REQUIRE_ANY("RequireAnyClientCert", ClientAuth.REQUIRE, false),
  VERIFY_IF_GIVEN("VerifyClientCertIfGiven", ClientAuth.OPTIONAL, true),
  REQUIRE_AND_VERIFY("RequireAndVerifyClientCert", ClientAuth.REQUIRE, true);

  private final String spelling;
  private final ClientAuth demand;
  private final boolean verified;

  ClientAuthentication(String spelling, ClientAuth demand, boolean verified) {
    this.spelling = spelling;
    this.demand = demand;
    this.verified = verified;
  }

  static Optional<ClientAuthentication> named(String spelling) {
    // An older name, which exporters still accept.
    String name = spelling.equals("RequireClientCert") ? REQUIRE_ANY.spelling : spelling;
    return Arrays.stream(values()).filter(one -> one.spelling.equals(name)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(one -> one.spelling).toList();
  }

  ClientAuth demand() {
    return demand;
  }

  /** Whether a certificate must be signed by a trusted authority. */
  boolean isVerified() {
    return verified;
  }
}
