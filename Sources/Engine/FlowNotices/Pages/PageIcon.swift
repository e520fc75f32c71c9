import FoundationEssentials

/// The icon of published pages on a phone's home screen: a map pin above water, white on blue. The picture fills its square, so
/// that each phone cuts its own shape.
enum PageIcon {
  /// Width and height in pixels.
  static let size = 512

  /// A PNG with four colours. Its text chunk names poolflow, which is the mark by which poolflow recognizes its file.
  static let png = [UInt8](Data(base64Encoded: base64) ?? Data())

  private static let base64 = """
    iVBORw0KGgoAAAANSUhEUgAAAgAAAAIAAgMAAACJFjxpAAAAEXRFWHRTb2Z0d2FyZQBwb29sZmxvdy/yX2QAAAAMUExURQBeqFWUxarJ4v///4jO\
    kgwAAAeISURBVHja7Z0/ettGFMQJ4BNRsFDnIixwBByBPIIbpbBvEBU6AnUEFc4NoiJK4SNAR+ARUNCFU6lQIfoTgMiSQ/EPsG8XxHujODMtBe6P\
    xM7uLLj7NBpRFEVRFEVRFEVRFEVRFEVRFEVRFEVRFEVRFEVRFEVRFEVRFEVRFEVR/22d3dycAZv/UDRPqq9BzUefmx/6Nse2jyHYbh9CcNHsaG3d\
    /qTZU2l8A4p9gNr2JuTNgR4s24+bFl3ieqB5Pxw3rbpC9gDTXhA3HbLqBVkXwL0RQNEFUNu0nzadWiK7oFk3jBqHLMbjiQvAYkpauAAq8B2wuAcT\
    N0CJ9ICNDwo3QA0chWzGokwCuEea0MCIUSNqju0C2p0gkwHusV1AuRN4dAHdTpD4ANziJgL96SD3AdCcDgofgBrcBzV7YeoHsMT2Qc1emPsBPCDH\
    Qd2xsPGU+arYapWc+gJo2eDUF+AOawI9Gyx8ASqwCbRsEPkD6MwGiT+ATiaZ+AOUWBdq+TD3B9Dx4cwf4BGXxzRTWdNgB4L2ubAuzObDtmGg/jQa\
    vSuMBoK06xeCsdGE3DIMrF5emdoMBFn3pLcwWaPn3d9zajISzRxmLyxGokVHD2jtBZXFQHjpGCNqg4Gwcn49Bnlotf3qVD8Txc7RNtYfixP3XS7U\
    x+LU7fRcfSyeuGPfRD0Vnro/Yqo+GWTubh6pTwaZMNIU2gC5MNvk2rPRTPiEmfZsNBN6+UQbYCEMNIn2dFgIQ22sPR0W0mynDSC+f6E8H4t9bKYL\
    EIk2z3UDQSQOdJkuQCzONae6iSQWZ9uJKcBSTCw/HUAiRr5ENxQm4ueLf3KAVHR5pBuLCZDKUw0BCEAb/r8A5LmAAMoAciBRBlj2+YshAeRU/LMD\
    yAsTZQB5bagMIK+OlQEq8RmOMoD8gEIZ4HA2ihpbAOkhlTrAMvgPBgaQHlSqA0jPitUBKsGF6gDS43p1gH0bxI01wDLs9eEB7p1PCQ0AKncf1AfY\
    HYyjxh5gGfCyCsC9swsYANSuUcACYLuJtEEAPHRPBDYArz6IDLYytW2X2uyhmFocw150fwWRyc7evPu4+4XJnsrWLa1fvr/y0WZba/vO9r9///Uv\
    o/3tAdualbY2FyHta+ykmoUAaGxmy0IANPYTTkIASgWAJATgVgEgApvgDeyshu8tz7AmeAMHHGJ/gEsVAPghF/w5I/hJK/hZM/hpO/h5Q/iJS/yZ\
    U/ip21OsCd7AyesYbAL86Xs/G2gWochwaSQgk5SKAPAiGPAyID420K1INENF8gAb6NaimWBN4GWDW1UAeEEk2QbaZblyXBrxzCR3ygDwumQxMI34\
    RXPt9qVMol+gEF6d7xRrAtEG+oVCY7AJhMHYolbrAmsCwQYWpVrhhVITXBrxyCRzAwCXDWwKFs9QkdwjmtvUjJ5gTeC0wa0JQAQ2Ab5qd/dgbFW6\
    PcOawGGD0ggAXrt+BIvkQiapzADQ/7+gK5rfmQGkqEgu2MDMBF02sGu/3QaVIUCONUHHYFwaAqRYE7yB/2XTlklqy/bbovmjKUCGSyOdNihNARJU\
    JHdE87kpwKENbE3QYoNHY4AMawL8P1azKEYXaANjExxkksq6ff06ZIHR/M4cIMWlkVYbXJoDjGCRvNUGFQAgx5pgzwZ3AIAUa4I9GwBMsJNJakT7\
    2zaoIAAZLo0cZJISApCgInlLJplDAF5tgDHBVjR/BAFkWBNs2aAEASRYE2zZAGSCjQ1QJthkkgcYQIY1wSaTLGEAMTCNbEdzXPsvmaQCAuRYE/yI\
    5ndAgBRrgh82AJrgxQbI9r/boIIC5FgTPGeSEgqQYk3wnEnmUIBRUWPbH80ewQDZPRhgUoIBklswQAQ2AUXZ6N1N0dQ370MuOXm+5NMwRvu32s2f\
    3o6Lfvu3Vs4AJh2/PhD95vl20efXR6hXA7b/9HZeBNHOJVcDtu9HEO1dchRBVLQXgXJpv0BUfUw/OKw29VW65LyrclUfnbtqgbWrrULY177tT1u3\
    rDnv6bj1ktVAHUC+pz0uCeoA4j3tcUnoDXAuh7sPQfW4CWPHOYp50A3oV6rO9WZd3+hFEw4dfDcd3+jUecl6qA7Q+Y2OhUtWA3WArhF+LB4Ivhqw\
    /cN7Gnmcy/cmOPGpdbEbDrYigAP6/YDt7xJ4te9LEPm1/0SwebuTz56XeJkxoPTU9fP7RR+GLVYVUgKuvnlSSOHCoQGCRQAC9AV46uuhTbVf0gug\
    vn5xe0iBxJcR4vCSPgBf56Hj3esYGZ0fD/BFWCcI64CPxwKsxJWKsA6ZHgewCkpqrdlregzAOnyqPJzwLvoDtMyeEoFwSRhA69J+HB67tuJiGEAZ\
    HphXXT/s9AFYhy8ZxEtCADrjU49zx5tuEAJwFb5qWYlBPwBgFb5uW8tLLX+AdXhwdkfeizAAIT+Pwxc+L9DeANIqahq++ByHAPwRvnyWF7+/+AP4\
    rKQvwpf/U18Ar+d60Q7B2usByLkfwBfPhzjnLalJ0Mdhf2PbrAmvUT+lnDwH37DfUobW2Rl/0qIoiqIoiqIoiqIoiqIoiqIoiqIoiqIoiqIoiqKO\
    1D/2j59E7JboVAAAAABJRU5ErkJggg==
    """
}
